// Package hostrun runs the real, pinned host programs for end-to-end stories:
// without any network but loopback, each in an empty home of its own, with a
// cleared environment and a model server of ours. It installs nothing; see
// ../hosts/install.sh.
//
// The TestMain of a package with stories is
//
//	func TestMain(m *testing.M) { os.Exit(hostrun.Main(m)) }
//
// Environment variables for people:
//
//	HANDOVER_E2E_HOSTS  the folder with the installed hosts, if not .hosts
//	HANDOVER_E2E_KEEP   a folder that gets the homes and logs of the runs and keeps them
package hostrun
