package dashboard

import "time"

// scheduleForm is how a browser writes a local time (HTML, section "local dates and times").
const scheduleForm = "2006-01-02T15:04"

// scheduleView are the fields of a time.
type scheduleView struct{ At string }

// schedule returns the fields with a time that is set already, if it is.
func (v *visit) schedule(at any) scheduleView {
	if t, ok := timeOf(at); ok && t.After(v.now()) {
		return scheduleView{At: t.UTC().Format(scheduleForm)}
	}
	return scheduleView{}
}

// scheduled returns the time of a form that was sent, which is in UTC, or what is wrong with it.
func (v *visit) scheduled() (time.Time, scheduleView, string) {
	fields := scheduleView{At: v.form("at")}
	at, err := time.Parse(scheduleForm, fields.At)
	if err != nil {
		return time.Time{}, fields, "Choose a day and a time."
	}
	return at, fields, ""
}
