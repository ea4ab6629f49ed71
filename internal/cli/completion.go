package cli

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/models/query"
)

// completeFlags completes the values of a command's flags, and its arguments. File names are completed only where a file is
// wanted. The choices come from the configuration file and the state: completion makes no request.
func (p Process) completeFlags(cmd *cobra.Command) {
	complete := map[string]cobra.CompletionFunc{
		"profile":     p.completion((*setup).profileChoices),
		"project":     p.completion((*setup).projectChoices),
		"org-id":      p.completion((*setup).orgChoices),
		"replaced-by": p.completion((*setup).keyChoices),
		"fail-on":     completeList(keys.KindNames()),
		"ignore":      completeList(keys.KindNames()),
		"view":        p.completion((*setup).viewChoices),
	}
	for _, setting := range new(setup).Settings() {
		if complete[setting.Flag] == nil && setting.Names != nil {
			complete[setting.Flag] = cobra.FixedCompletions(setting.Names, cobra.ShellCompDirectiveNoFileComp)
		}
	}
	for _, name := range []string{"config", "ca-file", "log", "to-file"} {
		complete[name] = completeFile
	}
	for name, f := range complete {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, f) // fails only for flags that are not there
		}
	}
	if slices.Contains([]string{"revoke", "rotate"}, cmd.Name()) {
		cmd.ValidArgsFunction = p.completion((*setup).keyChoices)
	}
}

func completeFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// completeList completes the last of several words with commas between them.
func completeList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return lastWordChoices(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// lastWordChoices returns the typed words with their last one replaced by each word that is not among them.
func lastWordChoices(words []string, typed string) (choices []string) {
	head := typed[:strings.LastIndexByte(typed, ',')+1]
	given := strings.Split(head, ",")
	for _, word := range words {
		if !slices.Contains(given, word) {
			choices = append(choices, head+word)
		}
	}
	return choices
}

// completion completes values from the configuration file, its profile and the state. A broken file gives no choices.
func (p Process) completion(values func(*setup) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return p.choices(cmd.Flags(), values), cobra.ShellCompDirectiveNoFileComp
	}
}

// choices reads the files, and changes and prints nothing.
func (p Process) choices(f *pflag.FlagSet, values func(*setup) []string) []string {
	s := new(defaults())
	s.configPath, _ = f.GetString("config") // empty for a command without it
	s.profile, _ = f.GetString("profile")
	s.memory.file = p.stateFile()
	if read, err := s.memory.file.Read(); err == nil {
		s.memory.use(read)
	}
	if s.readFiles(p) != nil {
		return nil
	}
	_ = s.chooseProfile(f, p.Getenv) // an unknown profile has nothing pinned
	baseURL, _ := f.GetString("base-url")
	if !f.Changed("base-url") {
		baseURL = ""
	}
	s.BaseURL = cmp.Or(baseURL, p.Getenv("PGTOWER_BASE_URL"), s.current.BaseURL)
	s.known = s.memory.state.ReachedOf(hostOf(s.BaseURL), p.Clock())
	return values(s)
}

// described returns a choice with a description, which the shell shows beside it.
func described(value, about string) string {
	if about == "" {
		return value
	}
	return value + "\t" + about
}

func (s *setup) profileChoices() []string { return profileNames(s.file.config) }

func (s *setup) viewChoices() (names []string) {
	for _, view := range query.Views(s.file.config.Views) {
		names = append(names, view.Name)
	}
	return names
}

// projectChoices returns the ids of the pinned and the remembered projects, and the names that one of them has.
func (s *setup) projectChoices() (choices []string) {
	names, count := map[string]string{}, map[string]int{}
	for _, project := range s.known.Projects {
		names[project.ID] = project.Name
		count[project.Name]++
	}
	ids := append(slices.Clone(s.current.Pinned), slices.Sorted(maps.Keys(names))...)
	for i, id := range ids {
		if slices.Index(ids, id) == i {
			choices = append(choices, described(id, names[id]))
		}
	}
	for _, project := range s.known.Projects {
		if count[project.Name] == 1 && models.IsID(project.Name) { // a shell would divide a name with spaces
			choices = append(choices, described(project.Name, project.ID))
		}
	}
	return choices
}

// orgChoices returns the ids of the remembered organizations.
func (s *setup) orgChoices() (choices []string) {
	for _, org := range s.known.Orgs {
		choices = append(choices, described(org.ID, org.Name))
	}
	return choices
}

// keyChoices returns the ids of the keys that pgtower created or began to replace on this computer, with the names that the
// journal has.
func (s *setup) keyChoices() (choices []string) {
	names := map[models.KeyRef]string{}
	records, _, _ := s.memory.journalFile().Read() // without it, there are no names
	for _, r := range records {
		if r.Name != "" {
			names[models.KeyRef{List: models.ListID{Org: r.OrgID}, ID: r.ID}] = r.Name
		}
	}
	entry := s.memory.state.Remembered(hostOf(s.BaseURL))
	var refs []models.KeyRef
	for _, made := range entry.Made {
		refs = append(refs, made.Key)
	}
	for _, rotation := range entry.Rotations {
		refs = append(refs, rotation.Old, rotation.New)
	}
	for i, ref := range refs {
		if slices.Index(refs, ref) == i {
			choices = append(choices, described(strconv.FormatInt(ref.ID, 10), names[ref]))
		}
	}
	return choices
}
