-- What wrk sends: every request is of a random user. Arguments: a name in `send`, and a file with one token per line.

local lists = { "Today", "Latest", "HighPriority", "MediumPriority", "LowPriority", "Upcoming" }
local task = '{"title":"Ask about the delivery in March","body":"Prices as agreed on the phone; the new address is ' ..
  'on the second page.","dueDate":"2026-11-21","priority":"high"}'

local send = {}

function send.keptLists(user)
  return wrk.format("GET", "/api/v1/list/getLatestTasks?limit=20", user)
end

-- The list and its length vary, so that hardly any response is cached.
function send.coldLists(user)
  local path = "/api/v1/list/get" .. lists[math.random(#lists)] .. "Tasks?limit=" .. math.random(15, 25)
  return wrk.format("GET", path, user)
end

function send.creates(user)
  return wrk.format("POST", "/api/v1/list/addTask", user, task)
end

local users = {}
local next

function init(arguments)
  math.randomseed(os.time())
  next = send[arguments[1]]
  for token in io.lines(arguments[2]) do
    users[#users + 1] = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" }
  end
end

function request()
  return next(users[math.random(#users)])
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  print(string.format('{"requests":%d,"microseconds":%d,"failed":%d}', summary.requests, summary.duration, failed))
end
