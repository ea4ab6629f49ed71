package keys

import (
	"errors"
	"strings"

	"pgtower/models"
)

// Refused reports whether err proves that a change was not carried out. Otherwise that is unknown: something else than
// the service may have answered, and a gateway that gives up does not stop the request behind it.
func Refused(err error) bool {
	e, ok := errors.AsType[*models.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case models.KindReadOnly, models.KindNotRecorded: // it was not sent
		return true
	case models.KindTLS: // with advice, it is known that the connection was not secured
		return e.Hint != "" && e.Status == 0
	case models.KindInvalid, models.KindRateLimited, models.KindCanceled:
		if e.Status == 0 && e.Kind != models.KindCanceled {
			return true
		}
	default:
	}
	return e.NotConnected || inKnownWords(e) || byTheAPI(e)
}

// byTheAPI reports whether the API itself answered that it does not do this. Such a status alone may be a gateway's.
func byTheAPI(e *models.Error) bool {
	switch e.Status {
	case 400, 403, 422, 423, 429:
		return e.Body == models.APIBody
	}
	return false
}

// inKnownWords reports whether the service refused a change in words that are known, with any status.
func inKnownWords(e *models.Error) bool {
	if e.Body != models.APIBody {
		return false
	}
	message := strings.ToLower(e.Message)
	for _, words := range []string{"unique name", "already has running", "transitive state"} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return models.RefusalOf(e) != models.NoRefusal
}
