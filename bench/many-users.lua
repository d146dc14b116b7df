-- The requests of wrk: every one is of a random user. Arguments: a name in `send`, and a file with a user per line.

local lists = { "Today", "Latest", "HighPriority", "MediumPriority", "LowPriority", "Upcoming" }
local task = '{"title":"Ask about the delivery in March","body":"Prices as agreed on the phone; the new address is ' ..
  'on the second page.","dueDate":"2026-11-21","priority":"high"}'

local send = {}

function send.keptLists(user)
  return wrk.format("GET", "/api/v1/list/getLatestTasks?limit=20", user.headers)
end

-- The list and its length vary, so that hardly any response is cached.
function send.coldLists(user)
  local path = "/api/v1/list/get" .. lists[math.random(#lists)] .. "Tasks?limit=" .. math.random(15, 25)
  return wrk.format("GET", path, user.headers)
end

-- With an id of its own, as the page sends it. Such ids need not be hard to guess.
function send.creates(user)
  local function hex(x)
    return string.format("%x", x == "y" and math.random(8, 11) or math.random(0, 15))
  end
  user.headers["Idempotency-Key"] = ("xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx"):gsub("[xy]", hex)
  return wrk.format("POST", "/api/v1/list/addTask", user.headers, task)
end

-- The cursor of a user is the second word of the user's line.
function send.quietDeltas(user)
  return wrk.format("GET", "/api/v1/changes?since=" .. user.cursor, user.headers)
end

local users = {}
local next

function init(arguments)
  math.randomseed(os.time())
  next = send[arguments[1]]
  for line in io.lines(arguments[2]) do
    local token, cursor = line:match("^(%S+) ?(%S*)$")
    local headers = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" }
    users[#users + 1] = { headers = headers, cursor = cursor }
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
