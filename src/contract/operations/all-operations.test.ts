import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { allOperations } from './all-operations.ts'
import type { Operation, Operations } from './operation.ts'
import { sitePageOperations } from './site-pages.ts'

const described: Operations = { ...allOperations, ...sitePageOperations }

/** The operations of every table in this folder. */
async function readTables(): Promise<Operation[]> {
  const files = readdirSync(import.meta.dirname).filter((name) =>
    /^(?!all-operations)[\w-]+(?<!\.test)\.ts$/.test(name),
  )
  const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<Record<string, unknown>>))
  const tables = modules.flatMap((module) =>
    Object.entries(module).filter(([name]) => name.endsWith('Operations') && name !== 'defineOperations'),
  )
  // Some tables are parts of others.
  return [...new Set(tables.flatMap(([, table]) => Object.values(table as Operations)))]
}

it('holds every operation of every table, under an id and an address of its own', async () => {
  const defined = await readTables()

  expect(Object.keys(described).toSorted()).toEqual(defined.map(({ id }) => id).toSorted())
  const addresses = defined.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
})

it('describes exactly the parameters that a path has', () => {
  const wrong = Object.values(described).filter(({ path, params }) => {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
    return (
      names.toSorted().join() !==
      Object.keys(params?.shape ?? {})
        .toSorted()
        .join()
    )
  })

  expect(wrong.map(({ id }) => id)).toEqual([])
})

it('audits what changes something for a member or a key, or says here why not', () => {
  const unaudited = Object.values(described).filter(
    ({ method, access, audit }) =>
      method !== 'get' && (access === 'editor' || access === 'owner') && audit === undefined,
  )

  expect(unaudited.map(({ id }) => id)).toEqual([
    // These change nothing that is stored.
    'checkSource',
    'checkWidget',
    'checkModel',
    // A note of a member for themselves.
    'markFileViewed',
    // Deliveries have a log of their own.
    'testWebhookEndpoint',
    'retryWebhookDelivery',
    'tryAnswer',
    'explainSearch',
  ])
})

/** Schemas of objects that let fields through which they do not name. */
function findOpenObjects(value: unknown, seen = new Set<unknown>()): unknown[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if (!(value instanceof z.ZodType)) return Object.values(value).flatMap((each) => findOpenObjects(each, seen))
  const { def } = value
  const isOpen = 'catchall' in def && !(def.catchall instanceof z.ZodNever) && def.catchall !== undefined
  const shape = 'shape' in def ? def.shape : null
  return [...(isOpen ? [value] : []), ...findOpenObjects({ ...def }, seen), ...findOpenObjects(shape, seen)]
}

it('lets no field out that the schema of a reply does not name, such as the hash of a key', () => {
  const open = Object.values(described).flatMap(({ id, replies }) => {
    const schemas = Object.values(replies).flatMap(({ json }) => json ?? [])
    return findOpenObjects(schemas).map(() => id)
  })

  expect(open).toEqual([])
  expect(findOpenObjects([z.object({ items: z.array(z.looseObject({ id: z.string() })) })])).toHaveLength(1)
})
