// Package models is the domain of pgtower: the records of the control API, and the kinds of error.
//
// Everything here is pure: no I/O, no clock. Records are decoded tolerantly, because the service adds fields, statuses
// and actions without notice: a null, missing or unknown field is no error, and a field of the wrong type damages only
// its own record (see [Operation.Damage]). Every string from a server goes through [Clean] before it is shown.
//
// Section numbers in the comments are those of the control API's specification.
package models
