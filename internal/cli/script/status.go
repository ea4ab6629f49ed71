package script

import (
	"context"
	"time"

	"pgtower/models/incident"
	"pgtower/models/poll"
	"pgtower/models/status"
)

// statusPatience is how long a command waits for the status page, which only adds to what the user asked for.
const statusPatience = 5 * time.Second

// askStatus asks the service's public status page once, if failures lie together. It returns nil if it did not
// ask.
func (from *Source) askStatus(ctx context.Context, places []incident.Concentration) *status.Statement {
	if len(places) == 0 || from.Status == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	reader := status.NewReader(from.loop.Poller, from.Status)
	reader.Want(true)
	defer reader.Want(false)
	regions := incident.RegionsOf(places, from.regions)
	heard := func(poll.Answer, time.Time) error { return nil }
	err := from.loop.Run(ctx, heard, func(time.Time) bool {
		_, ok := reader.Says(regions...)
		return ok
	})
	statement, _ := reader.Says(regions...)
	if err != nil {
		statement = status.Statement{Name: from.Status.Name, Err: err}
	}
	statement.AsOf = statement.AsOf.Add(from.now().Sub(from.process.Clock()))
	return &statement
}
