// Package models is the domain of pgtower: the records of the control API, the
// rules by which pages of operations become one feed, and the kinds of error.
//
// Everything here is pure: no I/O, no clock. Records are decoded tolerantly, because the service adds fields, statuses
// and actions without notice: a null, missing or unknown field is not an error, and a field of the wrong type damages
// only its own record (see [Operation.Damage]). What a page has in it that makes no sense is told as an anomaly. Every
// string that came from a server has been through [Clean] before anyone else sees it.
//
// Section numbers in the comments are those of the control API's specification.
package models
