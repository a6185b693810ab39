import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { startPostgres } from '../test/support/start-postgres.ts'
import { waitUntilReady } from '../test/support/wait-until-ready.ts'
import { applyLoad, median, quantile } from './load.ts'
import { writePieces } from './prose.ts'
import { type MeasuredServer, startMeasured } from './start-measured.ts'

// Answers of one, two and four servers on one PostgreSQL, each on a folder of its own, and of a single process on SQLite:
// per second of processor time, because two cores cannot show how several machines scale. PostgreSQL syncs its commits.

const key = `svc_dsc_${'k'.repeat(43)}`
const pieces = JSON.stringify(writePieces(200))
const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
const counts = [1, 2, 4]

/** How the model of a comparison answers, and how many answers are open over all servers. */
interface Workload {
  name: string
  /** The first argument of `docent-server`. */
  model: string
  /** Ends each question. */
  wanted: string
  concurrency: number
}

interface Contender {
  name: string
  servers: MeasuredServer[]
  database: Database | null
  turns: Turn[]
}

interface Turn {
  answersPerSecond: number
  serverCpuMs: number
  databaseCpuMs: number
  statements: number
  firstTextMs: number[]
}

/** @param rounds Turns of each contender. @param count Answers in a turn. */
export async function benchReplicas(rounds: number, count: number): Promise<void> {
  const provider = await startMeasured('provider-server', [])
  const instant = { name: 'all 200 pieces at once', model: pieces, wanted: '', concurrency: 50 }
  const paced = {
    name: '100 pieces, one every 20 ms',
    model: `${provider.url}/v1#paced`,
    wanted: ' (100 pieces, 20 ms)',
    concurrency: 100,
  }
  await compareReplicas(instant, rounds, count)
  await compareReplicas(paced, rounds, count / 4)
  console.log('Left out: the machines between which replicas stand, and the balancer before them.')
  await provider.stop()
}

async function compareReplicas(workload: Workload, rounds: number, count: number): Promise<void> {
  const postgres = await startPostgres({ settings })
  if ('unavailable' in postgres) return console.log(`\nReplicas were left out: ${postgres.unavailable}`)
  const database = await openDatabase(postgres.url)
  const env = { ...process.env, DATABASE_URL: postgres.url }
  const worker = await startMeasured('docent-server', [workload.model, key], env)
  const servers: MeasuredServer[] = []
  while (servers.length < Math.max(...counts))
    servers.push(await startMeasured('docent-server', [workload.model, key, 'serve'], env))
  const single = await startMeasured('docent-server', [workload.model, key])
  for (const server of [worker, ...servers, single]) await waitUntilReady(server.url)
  const contenders: Contender[] = [
    { name: 'SQLite, a single process', servers: [single], database: null, turns: [] },
    ...counts.map((number) => ({
      name: `PostgreSQL, ${number} serving`,
      servers: servers.slice(0, number),
      database,
      turns: [],
    })),
  ]
  for (const contender of contenders) await takeTurn(contender, workload, count)
  for (let round = 0; round < rounds; round++)
    for (const contender of contenders) contender.turns.push(await takeTurn(contender, workload, count))
  report(contenders, workload, count)
  console.log('\nStatements per answer, of the last turn with one server:')
  await resetStatements(database)
  await takeTurn(contenders[1] as Contender, workload, count) // Made above.
  for (const line of await describeStatements(database, count)) console.log(`  ${line}`)
  await database.client.end()
  await Promise.all([worker, ...servers, single].map((server) => server.stop()))
  await postgres.stop()
}

const settings = ['fsync=on', 'full_page_writes=on', 'autovacuum=on', 'shared_preload_libraries=pg_stat_statements']

interface Database {
  client: pg.Client
  /** The process that the others of the server are children of. */
  processId: number
}

async function openDatabase(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' })
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { client, processId: readStat(rows[0]?.pid ?? 0).parent }
}

let asked = 0

async function takeTurn(
  { servers, database }: Omit<Contender, 'turns'>,
  { wanted, concurrency }: Workload,
  count: number,
): Promise<Turn> {
  const before = await measure(servers, database)
  const share = Math.floor(count / servers.length)
  const results = await Promise.all(
    servers.map(({ url }) =>
      applyLoad(
        { url: `${url}/discovery/v2/assistant/docs/message`, headers, body: () => makeBody(wanted) },
        share,
        Math.ceil(concurrency / servers.length),
      ),
    ),
  )
  const after = await measure(servers, database)
  return {
    answersPerSecond: results.reduce((sum, { answersPerSecond }) => sum + answersPerSecond, 0),
    serverCpuMs: after.serverCpuMs - before.serverCpuMs,
    databaseCpuMs: after.databaseCpuMs - before.databaseCpuMs,
    statements: after.statements - before.statements,
    firstTextMs: results.flatMap(({ firstTextMs }) => firstTextMs),
  }
}

function makeBody(wanted: string): string {
  asked++
  const parts = [{ type: 'text', text: `How do I create a key? Case ${asked}.${wanted}` }]
  return JSON.stringify({ fp: 'bench', messages: [{ role: 'user', parts }] })
}

async function measure(servers: readonly MeasuredServer[], database: Database | null) {
  const reports = await Promise.all(servers.map((server) => server.report()))
  return {
    serverCpuMs: reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    databaseCpuMs: database === null ? 0 : readFamilyCpuMs(database.processId),
    statements: database === null ? 0 : await countStatements(database),
  }
}

/** Statements of the service on its database, nested ones of functions left out. */
async function countStatements({ client }: Database): Promise<number> {
  const { rows } = await client.query<{ calls: string }>(
    "select coalesce(sum(calls), 0) as calls from pg_stat_statements where toplevel and query not like '%pg_stat_statements%'",
  )
  return Number(rows[0]?.calls)
}

async function resetStatements({ client }: Database): Promise<void> {
  await client.query('select pg_stat_statements_reset()')
}

async function describeStatements({ client }: Database, count: number): Promise<string[]> {
  const { rows } = await client.query<{ calls: string; query: string }>(
    "select calls, query from pg_stat_statements where toplevel and query not like '%pg_stat_statements%' order by calls desc limit 12",
  )
  return rows.map(({ calls, query }) => {
    const text = query.replaceAll(/\s+/g, ' ').slice(0, 100)
    return `${(Number(calls) / count).toFixed(3)}  ${text}`
  })
}

/** Processor time of a process and of its children, those that ended included. Linux counts it in hundredths of a second. */
function readFamilyCpuMs(processId: number): number {
  const own = readStat(processId)
  let ticks = own.ticks + own.endedChildrenTicks
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readStat(Number(name))
      if (stat.parent === processId) ticks += stat.ticks
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * 10
}

/** @see proc(5): the fields of `stat` after the name, which may hold anything but ends with the last bracket. */
function readStat(processId: number): { parent: number; ticks: number; endedChildrenTicks: number } {
  const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const number = (index: number) => Number(fields[index])
  return { parent: number(1), ticks: number(11) + number(12), endedChildrenTicks: number(13) + number(14) }
}

function report(contenders: readonly Contender[], { name, concurrency }: Workload, count: number): void {
  console.log(`\nAnswers, ${name}, ${concurrency} at once over all servers; medians of the turns`)
  console.table(
    Object.fromEntries(
      contenders.map(({ name, turns, servers }) => {
        const firstText = turns.flatMap(({ firstTextMs }) => firstTextMs).toSorted((a, b) => a - b)
        const answers = count - (count % servers.length)
        const of = (value: (turn: Turn) => number) => median(turns.map(value))
        return [
          name,
          {
            'answers/s': Math.round(of(({ answersPerSecond }) => answersPerSecond)),
            'answers per cpu second of the servers': Math.round(
              of(({ serverCpuMs }) => (answers * 1_000) / serverCpuMs),
            ),
            'cpu ms of the database': Number(of(({ databaseCpuMs }) => databaseCpuMs / answers).toFixed(2)),
            'share of the database': `${Math.round(100 * of((turn) => turn.databaseCpuMs / (turn.databaseCpuMs + turn.serverCpuMs)))} %`,
            'statements/answer': Number(of(({ statements }) => statements / answers).toFixed(2)),
            'first text p50 ms': Math.round(quantile(firstText, 0.5)),
            'first text p99 ms': Math.round(quantile(firstText, 0.99)),
          },
        ]
      }),
    ),
  )
}
