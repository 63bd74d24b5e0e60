package config

// ModeByModel reports whether an override for some models sets how much is done
// for an agent, so that this is known only once its model is. A nil File says no.
func (f *File) ModeByModel() bool {
	if f == nil {
		return false
	}
	for _, o := range f.Overrides {
		if o.Match.Model != "" && (o.Mode != nil || o.Enabled != nil) {
			return true
		}
	}
	return false
}
