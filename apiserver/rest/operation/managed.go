package operation

// FieldManager owns the fields of what the facade creates.
const FieldManager = "pressroom-apiserver"
