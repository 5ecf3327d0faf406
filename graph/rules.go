package graph

// Rule is what is known of a code before anything is found.
type Rule struct {
	Code     Code
	Severity Severity // the usual one: --strict, and whether a stamp needs it, may change it
	What     string   // in one sentence, without a full stop
	Why      string   // it matters
	Hint     string   // what to do about it, "" where the message says all
}

// Rules is the table of codes. docs/findings.md has a section about each.
var Rules = []Rule{
	{
		MissingReference, Warning, "A workload refers to a source that is not in the input",
		"What is not there is not hashed: a change of it restarts nobody. Without optional: true the pods do not start where it is missing in the cluster too.",
		"give restamp the manifest too, mark the reference optional: true, or name it in the workload's " + ignoreAnnotation,
	},
	{
		MissingKey, Warning, "A workload refers to a key that its source lacks",
		"Without optional: true the pods do not start.",
		"add the key, or mark the reference optional: true",
	},
	{
		AmbiguousReference, Warning, "Several sources answer to a reference",
		"restamp does not guess: nothing of the reference is hashed, so that a change restarts nobody.",
		"set metadata.namespace on the workload or on the source, or say --namespace",
	},
	{
		DuplicateObject, Warning, "The input has two objects with one identity",
		"The last one counts, as with kubectl apply; another tool may take the first, or refuse both.",
		"keep one of the two",
	},
	{
		UnusedSource, Info, "No workload of the input uses a source",
		"A change of it restarts nobody. It may be left over, or used by what is not in the input.",
		"",
	},
	{
		UnmountedVolume, Warning, "No container mounts a volume",
		"The kubelet skips the volume, so that nothing of it is used or hashed. A mount may be missing.",
		"mount the volume, or take it out",
	},
	{
		NeverRolls, Warning, "A changed pod template does not reach the pods by itself",
		"A setting of the workload, or its kind, keeps its pods as they are: they do not restart for the configuration that they use.",
		"restart the pods by hand, or change the setting",
	},
	{
		LateSource, Warning, "A source comes later than the workload that uses it",
		"New pods start with the old content, or not at all. When the new content comes, the stamp has changed already and nobody restarts.",
		"give the source an earlier sync wave, hook or weight than the workload, or the same",
	},
	{
		ImmutableWorkload, Info, "A workload uses configuration, but its pod template may not be changed",
		"A stamp would make the apply fail. Running pods keep the old configuration.",
		"",
	},
	{
		CostlyWorkload, Info, "A workload uses configuration, but a change of its pod template ends running work",
		"It is not stamped unless it says so itself.",
		"",
	},
	{
		StandIn, Info, "The content of a source is made in the cluster",
		"What decides the content stands in for it in the hash. A change of the value itself, a rotated password say, is not seen.",
		"",
	},
	{
		ForeignChecksum, Info, "Another tool's checksum stands in the pod template",
		"It restarts the pods too, when what it covers changes.",
		"",
	},
	{
		ChartLabel, Info, "The pod template has a label with the chart's version",
		"Each new version of the chart restarts the pods, whether configuration changes or not.",
		"",
	},
	{
		LeftoverEnv, Warning, "An environment variable is there that Reloader left behind",
		"It restarts the pods whenever somebody takes it out, or Reloader writes it anew.",
		"take the variable out together with the move to restamp",
	},
	{
		LeftoverAnnotation, Warning, "An annotation is there that Reloader or wave left behind",
		"It was copied from a cluster. Without the tool nobody keeps it up to date, and in a pod template it restarts the pods whenever somebody takes it out.",
		"take the annotation out together with the move to restamp",
	},
	{
		ForeignAnnotation, Warning, "An annotation of another tool does not count as it stands",
		"With compat the annotations of Reloader, wave and KUDO count. This one cannot be read, means nothing there, or contradicts one of restamp's, which wins.",
		"say it in restamp's own annotations: docs/migration.md has them side by side",
	},
	{
		DoubleRestart, Warning, "Another tool restarts the pods as well",
		"Its controller, where it runs, acts on the same change: the pods restart twice.",
		"take the annotation out, or the controller; docs/migration.md tells how to move over",
	},
	{
		UnkeyedSecret, Warning, "A stamp covers values of Secrets without a key",
		"Whoever may read pods can try guesses at a short value.",
		"give a key with --secret-key-file or in RESTAMP_SECRET_KEY",
	},
	{
		Placeholder, Warning, "A later step fills a value in",
		"The text that stands there now is hashed: a change of the real value restarts nobody.",
		"run restamp after the step that fills it in, or a change of the real value restarts nobody",
	},
	{
		CannotStamp, Error, "A stamp cannot be computed, or not be written safely",
		"restamp changes nothing that it does not understand. The workload would not restart for its configuration.",
		`mend the manifest there, or say ` + enabledAnnotation + `: "false" on the workload`,
	},
	{
		InvalidSource, Error, "The API server would refuse a source",
		"The apply fails, and there is no telling what to hash. Where no stamp needs it, it is a warning.",
		"the API server refuses this object as it is",
	},
	{
		FirstStamp, Info, "A pod template gets its first stamp",
		"That changes the template, and so restarts its pods once.",
		"",
	},
	{
		StaleStamp, Error, "A check found a stamp that is not as it should be",
		"Pods would not restart for the configuration that they use, or would restart later, for another change.",
		"run restamp before the check, or commit its output",
	},
	{
		NeedsHashSuffix, Info, "kustomize will put a hash of the content behind a source's name",
		"The name restarts the source's users already: it is left out of their stamps.",
		"",
	},
}

// RuleOf returns the row of a code, and a row of nothing but the code where
// there is none.
func RuleOf(code Code) Rule {
	for _, r := range Rules {
		if r.Code == code {
			return r
		}
	}
	return Rule{Code: code}
}

// hints say what to do about a finding.
var hints = hintsOf(Rules)

func hintsOf(rules []Rule) map[Code]string {
	m := make(map[Code]string, len(rules))
	for _, r := range rules {
		m[r.Code] = r.Hint
	}
	return m
}
