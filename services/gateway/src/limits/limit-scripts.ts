/**
 * The counters in Redis. Every key shares one hash tag, so that a script may touch several of them.
 *
 * - `{tollgate}:gateways`: sorted set, gateway id by the time of its last heartbeat
 * - `{tollgate}:m:ID`: hash, second by requests in it
 * - `{tollgate}:d:ID`: hash with `day` and `count`
 * - `{tollgate}:c:ID`: hash, gateway id by its requests in flight
 */
export const GATEWAYS_KEY = '{tollgate}:gateways';

/** The three keys of one subject, in the order in which the scripts take them. */
export function subjectKeys(id: string): readonly [minute: string, day: string, inFlight: string] {
  return [`{tollgate}:m:${id}`, `{tollgate}:d:${id}`, `{tollgate}:c:${id}`];
}

/**
 * KEYS: gateways, then three of each subject. ARGV: now in ms (empty: the server's time), gateway,
 * heartbeat ttl ms, then rpm, rpd and concurrency of each subject (empty: unlimited). Answers
 * admitted, subject, dimension (its place in DIMENSIONS), wait ms, day, ms to the day's end, then
 * minute count, minute reset ms and day count of each subject.
 */
export const ACQUIRE_SCRIPT = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local gateway, ttl = ARGV[2], tonumber(ARGV[3])
local second, day = math.floor(now / 1000), math.floor(now / 86400000)
local day_ms = 86400000 - now % 86400000
local subjects = {}

local function read(index)
  local at_key = index * 3
  local subject = { minute = KEYS[at_key - 1], day = KEYS[at_key], flight = KEYS[at_key + 1] }
  subject.rpm = tonumber(ARGV[index * 3 + 1])
  subject.rpd = tonumber(ARGV[index * 3 + 2])
  subject.concurrent = tonumber(ARGV[index * 3 + 3])
  local buckets, total, stale = {}, 0, {}
  local raw = redis.call('HGETALL', subject.minute)
  for at = 1, #raw, 2 do
    local bucket = tonumber(raw[at])
    if bucket <= second - 60 then
      stale[#stale + 1] = raw[at]
    else
      local count = tonumber(raw[at + 1])
      total = total + count
      buckets[#buckets + 1] = { bucket, count }
    end
  end
  if #stale > 0 then redis.call('HDEL', subject.minute, unpack(stale)) end
  table.sort(buckets, function(a, b) return a[1] < b[1] end)
  subject.buckets, subject.total = buckets, total
  local daily = redis.call('HMGET', subject.day, 'day', 'count')
  subject.daily = tonumber(daily[1]) == day and tonumber(daily[2]) or 0
  local flying = 0
  raw = redis.call('HGETALL', subject.flight)
  for at = 1, #raw, 2 do
    local beat = redis.call('ZSCORE', KEYS[1], raw[at])
    if raw[at] == gateway or (beat and tonumber(beat) > now - ttl) then
      flying = flying + tonumber(raw[at + 1])
    else
      redis.call('HDEL', subject.flight, raw[at])
    end
  end
  subject.flying = flying
  return subject
end

local function wait_until(subject, room)
  local left = subject.total
  for _, bucket in ipairs(subject.buckets) do
    if left <= room then break end
    left = left - bucket[2]
    if left <= room then return math.max(1, (bucket[1] + 60) * 1000 - now) end
  end
  return 0
end

local function refusal()
  for index, subject in ipairs(subjects) do
    if subject.rpd and subject.daily >= subject.rpd then return index, 1, day_ms end
  end
  for index, subject in ipairs(subjects) do
    if subject.rpm and subject.total >= subject.rpm then
      return index, 2, wait_until(subject, math.max(0, subject.rpm - 1))
    end
  end
  for index, subject in ipairs(subjects) do
    if subject.concurrent and subject.flying >= subject.concurrent then return index, 3, 1000 end
  end
end

for index = 1, (#KEYS - 1) / 3 do subjects[index] = read(index) end
local refused, dimension, wait = refusal()
local admitted = refused and 0 or 1
local answer = { admitted, (refused or 1) - 1, (dimension or 1) - 1, wait or 0, day, day_ms }
for _, subject in ipairs(subjects) do
  if not refused then
    redis.call('HINCRBY', subject.minute, second, 1)
    redis.call('PEXPIRE', subject.minute, 61000)
    redis.call('HSET', subject.day, 'day', day, 'count', subject.daily + 1)
    redis.call('PEXPIRE', subject.day, day_ms + 60000)
    redis.call('HINCRBY', subject.flight, gateway, 1)
    redis.call('PEXPIRE', subject.flight, 86400000)
    subject.total, subject.daily = subject.total + 1, subject.daily + 1
    if not subject.buckets[1] then subject.buckets[1] = { second, 1 } end
  end
  answer[#answer + 1] = subject.total
  answer[#answer + 1] = subject.buckets[1] and (subject.buckets[1][1] + 60) * 1000 - now or 0
  answer[#answer + 1] = subject.daily
end
return answer
`;

/** KEYS: three of each subject. ARGV: gateway, day, 1 when the day comes back. */
export const RELEASE_SCRIPT = `
for index = 1, #KEYS / 3 do
  local day, flight = KEYS[index * 3 - 1], KEYS[index * 3]
  if redis.call('HINCRBY', flight, ARGV[1], -1) <= 0 then redis.call('HDEL', flight, ARGV[1]) end
  if ARGV[3] == '1' and redis.call('HGET', day, 'day') == ARGV[2] then
    redis.call('HINCRBY', day, 'count', -1)
  end
end
`;

/** KEYS: gateways. ARGV: now in ms (or empty), gateway, ttl ms. Answers how many are alive. */
export const HEARTBEAT_SCRIPT = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[3]))
redis.call('ZADD', KEYS[1], now, ARGV[2])
return redis.call('ZCARD', KEYS[1])
`;
