package feed

import "pgtower/models"

// holding is how much is kept: operations, and about how many bytes.
type holding struct{ rows, bytes int }

// weight returns about how many bytes an operation takes: its texts, and its places in rows, sets and counts. A text that
// several operations share is counted for each.
func weight(op *models.Operation) int {
	const fixed = 600
	return fixed + len(op.ID) + len(op.ProjectID) + len(op.BranchID) + len(op.EndpointID) +
		len(op.Action) + len(op.Status) + len(op.Error) + len(op.Cause) + len(op.Damage)
}

// weigh counts operations that came or went.
func (f *Feed) weigh(rows, bytes int) {
	f.kept.rows += rows
	f.kept.bytes += bytes
}

// weighMarks counts the edges and seams anew, with their cursors, and the ids that were forgotten.
func (f *Feed) weighMarks() {
	const fixed, id = 200, 100
	previous := f.marks
	f.marks = id * len(f.forgotten.ids)
	for i := range f.edges {
		f.marks += fixed + len(f.edges[i].cursor) + len(f.edges[i].back)
	}
	for i := range f.seams {
		f.marks += fixed + len(f.seams[i].cursor) + len(f.seams[i].back)
	}
	f.weigh(0, f.marks-previous)
}
