import { describe, expect, it } from 'vitest'
import { FindingList } from '../finding-list.ts'
import { listOperations, parseOpenApi } from '../openapi/openapi-document.ts'
import type { SitePage } from '../site-page.ts'
import { checkSamples, type SampleKnowledge } from './check-samples.ts'

const api = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.kiosk.test/v1' }],
  paths: {
    '/orders': {
      get: { parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer' } }] },
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } },
    },
    '/orders/{id}': { delete: {} },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['item'],
        properties: { item: { type: 'string' }, count: { type: 'integer' }, size: { enum: ['small', 'large'] } },
      },
    },
  },
}
const document = parseOpenApi(JSON.stringify(api), 'api.json', new FindingList())
const schema = { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } }
const knowledge: SampleKnowledge = {
  operations: document === null ? [] : listOperations(document),
  schemas: new Map([['kiosk.json', { document: { file: 'kiosk.json', root: schema }, schema }]]),
}
const reference = `## \`kiosk open\`\n\n| Flag | |\n| --- | --- |\n| \`--port\` | The port. |\n\n## \`kiosk close\`\n\n## \`kiosk order add\`\n\n\`--fast\``

/** @returns What the check says of the sample: its message if it is wrong. */
function check(language: string, code: string): string {
  const page = (path: string, markdown: string) => ({ path, file: `${path.slice(1)}.md`, markdown }) as SitePage
  const pages = [page('/cli', reference), page('/guide', `# Guide\n\n\`\`\`${language} title="x"\n${code}\n\`\`\`\n`)]
  const verdict = checkSamples(pages, knowledge)[0]?.verdict
  return verdict?.outcome === 'wrong' ? verdict.message : (verdict?.outcome ?? '')
}

const curl = 'curl https://api.kiosk.test/v1'

describe('what cannot work is wrong', () => {
  it.each([
    ['json', '{"a": 1 "b": 2}', 'The sample is not valid JSON: comma expected.'],
    ['json', '{"a: 1}', 'The sample is not valid JSON:'],
    ['json', '{"$schema": "https://kiosk.test/kiosk.json", "prot": 1}', 'By kiosk.json, there is no field `prot`.'],
    ['yaml', 'a: [1, 2\nb: 3', 'The sample is not valid YAML: Flow sequence'],
    ['yaml', 'a:\n    - one\n   - two', 'The sample is not valid YAML:'],
    ['toml', '[cache\npaths = ["a"]', 'The sample is not valid TOML:'],
    ['toml', 'name = shop', 'The sample is not valid TOML:'],
    ['ts', 'const a = call({ b: 1 )', 'The sample cannot be parsed: `)` closes nothing.'],
    ['js', "const a = 'it's'", 'The sample cannot be parsed: a string is not closed.'],
    ['bash', `${curl}/order`, 'By api.json, there is no path /v1/order.'],
    ['bash', `${curl}/orders -X PUT`, 'By api.json, there is no operation PUT /v1/orders.'],
    ['bash', `${curl}/orders?limt=3`, 'By GET /orders in api.json, there is no parameter `limt`.'],
    ['sh', `${curl}/orders -d '{"count": 1}'`, 'By POST /orders in api.json, the field `item` is required.'],
    ['sh', `${curl}/orders \\\n  --json '{"item": "tea", "cuont": 1}'`, 'there is no field `cuont`.'],
    ['sh', `${curl}/orders -d '{"item": "tea", "size": "huge"}'`, 'the field `size` has no value `huge`.'],
    ['console', '$ kiosk open --prot 80', 'cli.md describes no flag `--prot` of kiosk.'],
    ['sh', 'npx kiosk opne', 'cli.md describes no command `kiosk opne`.'],
  ])('%s %s', (language, code, message) => {
    expect(check(language, code)).toContain(message)
  })
})

describe('parts of files, placeholders and what nobody describes are no alarm', () => {
  it.each([
    ['json', '"a": 1,\n"b": [2]'],
    ['json', '{"a": 1}\n{"a": 2}'],
    ['jsonc', '{\n  // why\n  "a": 1,\n}'],
    ['json', '{"a": 1, ...}'],
    ['yaml', 'a: 1\na: 2'],
    ['yaml', 'a: {{ value }}'],
    ['yaml', '- a: 1\n+ a: 2'],
    ['yaml', `a: ${'}'.repeat(30_000)}`],
    ['yaml', '\n'.repeat(40_000)],
    ['toml', 'a = 1\n\na = 2'],
    ['toml', '[a]\nb = { c = "d" }\n# why\ne = ...'],
    ['toml', `a = ${'['.repeat(40_000)}`],
    ['ts', 'server: { port: 80 },\nname: "x"'],
    ['ts', 'await run()\nreturn <T>(value: T) => value satisfies string'],
    ['tsx', '<Form onSubmit={(event) => send(event)}>\n  <input />\n</Form>'],
    ['ts', 'function run() {\n  ...\n}'],
    ['ts', 'get(name: string): Value | null\nset(name: string): void'],
    ['js', 'function open() {\n  // ...\n'],
    ['bash', `${curl}/orders/$ORDER -X DELETE -H "Authorization: Bearer $KEY" | jq .id`],
    ['bash', 'curl https://elsewhere.test/v1/order'],
    ['bash', `${curl}/orders -d '{"count": ...}'`],
    ['bash', 'kiosk open --port 80 && other --prot\nkiosk order add --fast'],
    ['text', '{"a": '],
  ])('%s %s', (language, code) => {
    expect(check(language, code)).toMatch(/^(?:right|undecided)$/)
  })
})
