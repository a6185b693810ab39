import { type Kysely, type Migration, sql } from 'kysely'
import { areas } from '../schema.ts'
import type { StoreDialect } from '../store.ts'
import { describeCreation } from '../tables/create-table.ts'
import type { Tables } from '../tables/define-table.ts'

/**
 * Every migration for a dialect, by name, in order. All pending ones run in one transaction.
 *
 * Before the first release, one migration per area creates the tables as currently defined. A released migration is
 * never changed or removed: see docs/contributing/add-a-migration.md.
 */
export function migrationsFor(dialect: StoreDialect): Record<string, Migration> {
  const initial = Object.entries(areas).map(([area, tables], index): [string, Migration] => {
    const number = String(index + 1).padStart(4, '0')
    return [`${number}_${area}`, { up: (db) => createArea(db, tables, dialect) }]
  })
  return Object.fromEntries(initial)
}

async function createArea(db: Kysely<unknown>, tables: Tables, dialect: StoreDialect): Promise<void> {
  const statements = Object.entries(tables).flatMap(([name, table]) => describeCreation(name, table, dialect))
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (dialect === 'sqlite') return
  if ('counters' in tables) await createTakeLimits(db)
  // Packs are compressed already, and indexes are read as a whole: compressing them again only costs time.
  if ('blobChunks' in tables) await sql`alter table blob_chunks alter column bytes set storage external`.execute(db)
}

/**
 * PostgreSQL needs a function, because there a single statement cannot both wait for concurrent calls and undo its own
 * counts.
 *
 * The initial read refuses exhausted limits without locks or writes, so that a flood of refused requests costs only
 * reads. If a limit runs out between the read and the count, the counts made so far are undone. Every row stays locked
 * until the statement ends, so that nobody sees the intermediate counts.
 */
async function createTakeLimits(db: Kysely<unknown>): Promise<void> {
  await sql`
create function docent_take_limits(
  names text[], subjects text[], windows bigint[], maxima bigint[], out taken boolean, out counts float8[]
) language plpgsql as $body$
declare
  new_count bigint;
begin
  select array_agg(coalesce(counters.count, 0)::float8 order by wanted.position),
    coalesce(bool_and(coalesce(counters.count, 0) < wanted.most), true)
  into counts, taken
  from unnest(names, subjects, windows, maxima) with ordinality
    as wanted (name, subject, window_start, most, position)
  left join counters on counters.name = wanted.name collate "C" and counters.subject = wanted.subject collate "C"
    and counters.window_start = wanted.window_start;
  if not taken then
    return;
  end if;
  for i in 1 .. cardinality(names) loop
    insert into counters as counter (name, subject, window_start, count)
    values (names[i], subjects[i], windows[i], 1)
    on conflict on constraint counters_key do update set count = counter.count + 1 where counter.count < maxima[i]
    returning counter.count into new_count;
    if new_count is null then
      counts[i] := maxima[i];
      for j in 1 .. i - 1 loop
        update counters set count = count - 1
        where name = names[j] and subject = subjects[j] and window_start = windows[j];
        counts[j] := counts[j] - 1;
      end loop;
      taken := false;
      return;
    end if;
    counts[i] := new_count;
  end loop;
end
$body$`.execute(db)
}
