package mock

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

const (
	adjectives = `amber ancient bitter bold brisk broad calm cold cool crimson curly damp dark delicate
		divine dry dusty empty falling fancy flat floral fragrant frosty gentle green hidden holy
		icy jolly late lingering little lively long lucky misty muddy mute noisy odd old orange
		patient plain polished proud purple quiet rapid restless rough round royal shiny shy silent
		small snowy soft solitary sparkling spring square steep still sweet tight tiny twilight
		wandering weathered white wild winter wispy withered yellow young`
	nouns = `art band bar base bird block boat bonus bread breeze brook bush butterfly cake cell cherry
		cloud credit darkness dawn dew disk dream dust feather field fire firefly flower fog forest
		frog frost glade glitter grass hall hat haze heart hill king lab lake leaf limit math meadow
		mode moon morning mountain mouse mud night paper pine poetry pond queen rain recipe resonance
		rice river salad scene sea shadow shape silence sky smoke snow snowflake sound star sun
		surf thunder tooth tree truth union unit violet voice water waterfall wave wildflower wind
		wood`
	projectNames = `storefront billing identity search telemetry inventory payments recommendations
		warehouse newsletter playground scratchpad checkout catalog ledger notifications geodata
		helpdesk scheduler media-library analytics feature-flags audit-trail gateway`
)

// vocabulary is the words that names are made of, split once.
type vocabulary struct{ adjectives, nouns []string }

func newVocabulary() *vocabulary {
	return &vocabulary{strings.Fields(adjectives), strings.Fields(nouns)}
}

// id returns an identifier such as br-bitter-sound-247814; the prefix brings its dash.
func (v *vocabulary) id(rng *rand.Rand, prefix string) string {
	return prefix + pick(rng, v.adjectives) + "-" + pick(rng, v.nouns) + "-" + strconv.Itoa(100_000+rng.IntN(900_000))
}
