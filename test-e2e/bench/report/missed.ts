/** What stands between us and a target that was missed, as far as profiles and trials have told. */
export interface Explanation {
  /** The largest costs, with their shares where somebody measured them. */
  readonly most: string;
  /** Kept or dropped, with what came of it. */
  readonly tried: string;
}

/** One row for each thing that targets speak of: whoever learns more writes it here. */
export const EXPLANATIONS = {
  badVendors: {
    most: 'the wait for cores that others use, as the longest tick tells: with priority on its cores a refusal takes 2 ms (p50) and 8 (p99)',
    tried:
      'the peak measured by the same load beside it, and each request sent when it is due: kept',
  },
  choice: {
    most: 'a random key for each channel of the first priority',
    tried:
      'channels grouped by priority and models by price once for a table, and the first few found in one pass without sorting: kept ' +
      '(a third of the time)',
  },
  pair: {
    most:
      "the gateway: Node's HTTP server, streams and sockets a third of its main thread, gRPC with HTTP/2 a sixth; completion: undici " +
      'with its sockets 15 %, garbage 7 to 11 %, syncs and their thread 11 %, records of the spool 5 %; the rest is our own code, of which no function has more than 3 %',
    tried:
      'a session on node:http2 without grpc-js (the hop alone 29 % less at sixteen requests at once, which is 3 % of both services) ' +
      'and on a bare socket (half of the hop, 5 %), dropped; one sync for what a tick brings, kept (a fifth fewer); requests that ' +
      'are collected young, kept (half as much survives in completion); other sizes of the young ' +
      'generation, one collecting thread, huge pages, text for bytes, dropped without a gain',
  },
  all: {
    most: "besides the pair billing's settling and relaying, a fifth of all, then statistics; half of both is Kafka's client and MongoDB's",
    tried:
      'one write for an account and batch, batches of records in one message, checks without a schema, jobs that rest while nothing ' +
      'happens, journals that are stored once when two want to store them, accounts that are collected young: kept',
  },
  streams: {
    most:
      'an event that the vendor flushes alone is a read, a frame of the session and a chunk of HTTP of its own: Node writes each chunk ' +
      'in four pieces',
    tried:
      'frames of a tick in one message, kept; chunks framed by us in one piece, 1.6 µs an event less, dropped because the response would ' +
      "be out of Node's hands",
  },
  alone: {
    most:
      'the same work with cold caches: alone a request costs three times what it costs among sixteen, in the bare hop as well, because ' +
      'seven processes take turns on the core; then the sync',
    tried:
      'no sync for BEGIN of a whole answer, lingers and polls that rest, kept; counted by strace the gateway makes two reads, two writes ' +
      'and four waits for a request, as the bare hop does',
  },
  firstToken: {
    most: "the sync of BEGIN, without which no byte leaves, and the wake-ups of two processes beside Portkey's one",
    tried:
      'BEGIN is synced while the vendor works, kept; the head leaves with the first event in one packet, kept',
  },
  limits: {
    most: 'shares of a limit that one gateway holds while another needs them, where a crowded machine hands them over late',
    tried: 'shares by what each gateway uses, given back when they are not used: kept',
  },
  floods: {
    most: 'a connection, a head and an answer by Node, as for a request that is served; the key itself costs a look-up in memory',
    tried:
      'a checksum in the key, and unknown keys remembered, so that hardly any is asked for: kept',
  },
  tails: {
    most: 'the wait for the core that all processes share, three quarters of the longest ticks and more; then garbage in completion',
    tried:
      'settlement, statistics, relays and the audit by bounded batch, kept; work in a tick was 11 ms at most after a long warm-up, 25 after a short one',
  },
  start: {
    most: 'loading modules, half of it; then the .proto files of the control plane, and at first the migrations',
    tried:
      'one bundle of what runs, and modules loaded where they are used: kept, 3.3 to 2.2 s of CPU',
  },
  console: {
    most: 'the browser, which shares two cores with the product and all others on the machine',
    tried: 'pages load their own code, files come compressed and are kept by the browser: kept',
  },
} as const satisfies Readonly<Record<string, Explanation>>;

/** What a target is about. */
export type Topic = keyof typeof EXPLANATIONS;
