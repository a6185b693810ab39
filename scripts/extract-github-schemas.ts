// Takes from GitHub's own description of its interface what the tests hold our requests against: parameters and bodies of
// the operations that are used, with everything that they refer to. The whole description is too large to be installed:
//
//   npm pack @octokit/openapi@23.0.2 --pack-destination FOLDER && tar -xzf FOLDER/*.tgz -C FOLDER
//   node scripts/extract-github-schemas.ts FOLDER/package/generated/api.github.com.json
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { githubOperations } from '../src/codehost/github/github-operations.ts'

/** A property may have one of these names as well: then it is not a string. */
const prose = new Set(['description', 'summary', 'externalDocs'])

const target = join(import.meta.dirname, '..', 'test', 'fixtures', 'github', 'openapi-subset.json')

const jsonSchema = z.looseObject({})
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(jsonSchema).default([]),
  requestBody: z
    .object({ required: z.boolean().default(false), content: z.record(z.string(), z.object({ schema: jsonSchema })) })
    .optional(),
})
const descriptionSchema = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
})
type Description = z.infer<typeof descriptionSchema>

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('Name the file api.github.com.json of the package @octokit/openapi.')
const description = descriptionSchema.parse(JSON.parse(await readFile(source, 'utf8')))
const operations: Record<string, unknown> = {}
for (const route of Object.keys(githubOperations)) operations[route] = extractOperation(route)
const components: Record<string, Record<string, unknown>> = {}
collectReferences(operations)
const subset = { version: description.info.version, operations, components }
await writeFile(target, `${JSON.stringify(subset, null, 2)}\n`)

function extractOperation(route: string): unknown {
  const [method = '', path = ''] = route.split(' ')
  const found = description.paths[path]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`GitHub describes no operation ${route}.`)
  return withoutProse(operationSchema.parse(found))
}

/** Everything that is referred to, and what that refers to. */
function collectReferences(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(collectReferences)
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (key === '$ref' && typeof part === 'string') addComponent(part)
    else collectReferences(part)
  }
}

function addComponent(reference: string): void {
  const [, , kind = '', name = ''] = reference.split('/')
  const group = (components[kind] ??= {})
  if (name in group) return
  group[name] = withoutProse(findComponent(description, kind, name))
  collectReferences(group[name])
}

function findComponent({ components: known }: Description, kind: string, name: string): unknown {
  const found = known[kind]?.[name]
  if (found === undefined) throw new Error(`The description has no component ${kind}/${name}.`)
  return found
}

/** Without anything that does not affect which requests are valid. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, part]) => !(prose.has(key) && typeof part !== 'object'))
  const isUntyped = !entries.some(([key]) => key === 'type')
  const kept = entries.filter(
    // The validator refuses `nullable` beside alternatives; we send no null there.
    ([key]) => key !== 'examples' && key !== 'example' && !key.startsWith('x-') && !(key === 'nullable' && isUntyped),
  )
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutProse(part)]))
}
