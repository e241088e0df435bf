-- How healthy an object of Pressroom is, for Argo CD. All kinds follow kstatus, which Flux uses: this says the same as kstatus.
local function health(status, message)
  return { status = status, message = message or "" }
end
local state = obj.status or {}
if obj.metadata.deletionTimestamp ~= nil then
  return health("Progressing", "being deleted")
end
if state.observedGeneration ~= nil and state.observedGeneration ~= obj.metadata.generation then
  return health("Progressing", "the controller has not seen this generation yet")
end
local ready = nil
for _, condition in ipairs(state.conditions or {}) do
  if condition.type == "Reconciling" and condition.status == "True" then
    return health("Progressing", condition.message)
  end
  if condition.type == "Stalled" and condition.status == "True" then
    return health("Degraded", condition.message)
  end
  if condition.type == "Ready" then
    ready = condition
  end
end
if ready ~= nil and ready.status ~= "True" then
  return health("Progressing", ready.message)
end
return health("Healthy", ready and ready.message)
