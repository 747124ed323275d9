import { LIMIT_KINDS, type LimitKind } from './limiter';

/**
 * The names of one partition's counters in Redis. They share a hash tag, so that a script may touch
 * several of them: in a cluster all of them are on one server.
 *
 * - `{TAG}:gateways`: sorted set, gateway id by the time of its last heartbeat
 * - `{TAG}:m:ID`: hash, second by requests in it
 * - `{TAG}:d:ID`: hash with `day` and `count`
 * - `{TAG}:c:ID`: hash, gateway id by the places that it has, in use or not
 * - `{TAG}:h:ID`: hash, gateway id by the admissions that it has and has not used. Its field `!` is
 *   the mark of a shortage: the time, and the gateway that got too little then because others have
 *   shares; the last such time alone is kept
 *
 * A gateway's share counts as used until it gives it back, or until its heartbeat is too old.
 */
export interface CounterKeys {
  readonly gateways: string;
  /** The names of one subject's counters, in the order in which the script takes them. */
  subject(id: string): readonly string[];
}

/** One server has all counters under one tag. */
const TAG = 'tollgate';
/**
 * Enough that each of a dozen servers of a cluster has some, few enough that a heartbeat to each of
 * them once a second is nothing. All gateways have to agree on the number.
 */
const PARTITIONS_OF_CLUSTER = 32;

/** The names of every partition, the same in every gateway. */
export function counterPartitions(isCluster: boolean): readonly CounterKeys[] {
  if (!isCluster) return [keysUnder(TAG)];
  return Array.from({ length: PARTITIONS_OF_CLUSTER }, (_, index) => keysUnder(`${TAG}:${index}`));
}

function keysUnder(tag: string): CounterKeys {
  const kinds = ['m', 'd', 'c', 'h'].map((kind) => `{${tag}}:${kind}:`);
  return {
    gateways: `{${tag}}:gateways`,
    subject: (id) => kinds.map((start) => start + id),
  };
}

/** The script names the limit that refuses by its place among the kinds, from 1 on. */
const numberOf = (kind: LimitKind): number => LIMIT_KINDS.indexOf(kind) + 1;

/** The limit that the script names; undefined for 0, which refuses nothing. */
export function kindOf(number: number): LimitKind | undefined {
  return LIMIT_KINDS[number - 1];
}

/** What the script calls the limit of each kind. */
const LIMIT_IN_SCRIPT: Readonly<Record<LimitKind, string>> = {
  rpd: 'rpd',
  rpm: 'rpm',
  concurrency: 'concurrent',
};
const LIMITS_IN_SCRIPT = LIMIT_KINDS.map((kind) => LIMIT_IN_SCRIPT[kind]).join(', ');

/** How soon a share that another gateway does not use can be here, milliseconds. */
export const SHARE_WAIT_MS = 200;
/** How long gateways keep nothing in reserve after one of them got too little. */
export const CONTESTED_MS = 1000;
/** Alone, a gateway may keep one in so many of what is free in reserve. */
export const RESERVE_ALONE = 2;
/** Each of several gateways may keep one in so many, divided by their number. */
export const RESERVE_SHARED = 4;

const READ_TIME = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local gateway, ttl = ARGV[2], tonumber(ARGV[3])
`;

/**
 * KEYS: gateways, then four of each subject. ARGV: now in ms (empty: the server's time), gateway,
 * heartbeat ttl ms, then of each subject the fields of a `ShareRequest` in the order in which
 * `toArguments` writes them. Returns now, the gateways, 1 when this one was known, then of each
 * subject the fields of a `ShareGrant` in the order in which `toGrant` reads them.
 */
export const SHARE_SCRIPT = `${READ_TIME}
local second, day = math.floor(now / 1000), math.floor(now / 86400000)
local day_ms = 86400000 - now % 86400000
local known = 1 - redis.call('ZADD', KEYS[1], now, gateway)
local gateways = redis.call('ZCOUNT', KEYS[1], '(' .. (now - ttl), '+inf')
local reserve = gateways > 1 and ${RESERVE_SHARED} * gateways or ${RESERVE_ALONE}
local answer = { now, gateways, known }
local place, alive = 4, {}

local function take()
  place = place + 1
  return tonumber(ARGV[place - 1])
end

local function is_alive(id)
  if alive[id] == nil then
    local beat = redis.call('ZSCORE', KEYS[1], id)
    alive[id] = beat and tonumber(beat) > now - ttl or false
  end
  return alive[id]
end

local function held_by_others(key)
  local total = 0
  local raw = redis.call('HGETALL', key)
  for at = 1, #raw, 2 do
    if raw[at] ~= gateway and raw[at] ~= '!' then
      if is_alive(raw[at]) then total = total + tonumber(raw[at + 1])
      else redis.call('HDEL', key, raw[at]) end
    end
  end
  return total
end

local function hold(key, count)
  if count > 0 then
    redis.call('HSET', key, gateway, count)
    redis.call('PEXPIRE', key, 86400000)
  else
    redis.call('HDEL', key, gateway)
  end
end

local function count_minute(key)
  local pairs_left = take()
  for _ = 1, pairs_left do
    local bucket, count = math.min(take(), second + 1), take()
    if bucket > second - 60 then
      redis.call('HINCRBY', key, bucket, count)
      redis.call('PEXPIRE', key, 62000)
    end
  end
  local buckets, total, stale = {}, 0, {}
  local raw = redis.call('HGETALL', key)
  for at = 1, #raw, 2 do
    local bucket, count = tonumber(raw[at]), tonumber(raw[at + 1])
    if bucket <= second - 60 then
      stale[#stale + 1] = raw[at]
    else
      total = total + count
      buckets[#buckets + 1] = { bucket, count }
    end
  end
  if #stale > 0 then redis.call('HDEL', key, unpack(stale)) end
  table.sort(buckets, function(a, b) return a[1] < b[1] end)
  return buckets, total
end

local function count_day(key)
  local told, change = take(), take()
  local stored = redis.call('HMGET', key, 'day', 'count')
  local count = tonumber(stored[1]) == day and tonumber(stored[2]) or 0
  if change ~= 0 and told == day then
    count = math.max(0, count + change)
    redis.call('HSET', key, 'day', day, 'count', count)
    redis.call('PEXPIRE', key, day_ms + 60000)
  end
  return count
end

local function wait_until(buckets, total, room)
  for _, bucket in ipairs(buckets) do
    if total <= room then break end
    total = total - bucket[2]
    if total <= room then return math.max(1, (bucket[1] + 60) * 1000 - now) end
  end
  return (second + 60) * 1000 - now
end

for index = 1, (#KEYS - 1) / 4 do
  local at_key = index * 4 - 2
  local minute_key, day_key = KEYS[at_key], KEYS[at_key + 1]
  local place_key, held_key = KEYS[at_key + 2], KEYS[at_key + 3]
  local ${LIMITS_IN_SCRIPT} = ${LIMIT_KINDS.map(() => 'take()').join(', ')}
  local buckets, total = count_minute(minute_key)
  local daily = count_day(day_key)

  local mark = redis.call('HGET', held_key, '!')
  local short_at, short_by = string.match(mark or '', '^(%d+) (.*)$')
  local contested = short_at and short_by ~= gateway
    and tonumber(short_at) > now - ${CONTESTED_MS} or false

  local mine, needed, spare = take(), take(), take()
  local others = held_by_others(held_key)
  local room = math.huge
  if rpm then room = math.min(room, rpm - total - others - mine) end
  if rpd then room = math.min(room, rpd - daily - others - mine) end
  local admissions = math.max(0, math.min(needed, room))
  local keep = (rpm or rpd) and not contested
    and math.max(0, math.floor((room - admissions + mine) / reserve)) or 0
  local refused, wait = 0, 0
  if admissions < needed then
    local taken = mine + admissions
    if rpd and daily + taken + others >= rpd then
      refused, wait = ${numberOf('rpd')}, daily + taken >= rpd and day_ms or ${SHARE_WAIT_MS}
    else
      refused = ${numberOf('rpm')}
      wait = total + taken >= rpm and wait_until(buckets, total, math.max(0, rpm - 1 - taken))
        or ${SHARE_WAIT_MS}
    end
  else
    admissions = admissions + math.max(0, math.min(spare, room - admissions, keep - mine))
  end
  hold(held_key, mine + admissions)

  local places_mine, places_idle, places_needed = take(), take(), take()
  local places_others = held_by_others(place_key)
  local places, places_keep = places_needed, 0
  if concurrent then
    room = concurrent - places_mine - places_others
    places = math.max(0, math.min(places_needed, room))
    places_keep = not contested
      and math.max(0, math.floor((room - places + places_idle) / reserve)) or 0
  end
  hold(place_key, places_mine + places)

  local short = refused > 0 and others > 0 or places < places_needed and places_others > 0
  if short then
    redis.call('HSET', held_key, '!', now .. ' ' .. gateway)
    redis.call('PEXPIRE', held_key, 86400000)
  end
  local reset = buckets[1] and (buckets[1][1] + 60) * 1000 - now or 0
  for _, value in ipairs({ admissions, keep, refused, wait, places, places_keep,
    total, reset, daily }) do
    answer[#answer + 1] = value
  end
end
return answer
`;

/**
 * KEYS: gateways. ARGV: now in ms (or empty), gateway, ttl ms. Returns the first three values of what
 * SHARE_SCRIPT returns.
 */
export const HEARTBEAT_SCRIPT = `${READ_TIME}
local known = redis.call('ZSCORE', KEYS[1], gateway) and 1 or 0
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ttl)
redis.call('ZADD', KEYS[1], now, gateway)
return { now, redis.call('ZCARD', KEYS[1]), known }
`;
