package graph

// hints say what to do about a finding.
var hints = map[Code]string{
	MissingReference:   "give restamp the manifest too, mark the reference optional: true, or name it in the workload's " + ignoreAnnotation,
	MissingKey:         "add the key, or mark the reference optional: true",
	AmbiguousReference: "set metadata.namespace on the workload or on the source, or say --namespace",
	DuplicateObject:    "keep one of the two",
	UnmountedVolume:    "mount the volume, or take it out",
	NeverRolls:         "restart the pods by hand, or change the setting",
	LeftoverEnv:        "take the variable out together with the move to restamp",
	UnkeyedSecret:      "give a key with --secret-key-file or in RESTAMP_SECRET_KEY",
	Placeholder:        "run restamp after the step that fills it in, or a change of the real value restarts nobody",
	CannotStamp:        `mend the manifest there, or say ` + enabledAnnotation + `: "false" on the workload`,
	InvalidSource:      "the API server refuses this object as it is",
}
