import fc from 'fast-check'
import { exchange, type HttpInput, judgeReply } from './exchange.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { hostileText, hostileValue, mutate, mutation } from './hostile-values.ts'
import { arbitraryOf, type JsonSchema, type Schemas } from './schema-arbitrary.ts'

/** What is read of the document that the service tells of itself. */
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Schemas }
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

interface Route {
  method: string
  path: string
  operation: Operation
}

/**
 * Deleting what is known, ending what others need and asking what is outside would leave nothing to fuzz, or call
 * somebody. Their ids are made up in place of known ones; the routes are called all the same.
 */
const usesUpKnownIds = /^DELETE |\/revoke$|\/archive$/

/** Every route of the OpenAPI document, with values that its schemas allow and one or two changes to each. */
export async function fuzzRoutes(service: FuzzedService): Promise<FuzzTarget> {
  const document = JSON.parse((await exchange(service.url, get('/openapi.json'))).body) as ApiDocument
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const requests = routes.map((route) => requestOf(route, document.components.schemas, service))
  return makeTarget({
    name: 'routes',
    share: 0.32,
    arbitrary: fc.oneof(...requests),
    check: async (input) => judgeReply(input, await exchange(service.url, input, true)),
  })
}

function get(path: string): HttpInput {
  return { method: 'GET', path, headers: {} }
}

function requestOf(route: Route, schemas: Schemas, service: FuzzedService): fc.Arbitrary<HttpInput> {
  const { method, path, operation } = route
  const body = operation.requestBody?.content['application/json']
  return fc
    .record({
      target: pathOf(route, schemas, service),
      headers: headersOf(service, path),
      body: body === undefined ? fc.constant(undefined) : bodyOf(body.schema, schemas),
    })
    .map(({ target, headers, body: sent }) => {
      const length = sent === undefined ? {} : { 'content-length': String(Buffer.byteLength(sent)) }
      return { method, path: target, headers: { ...headers, ...length }, body: sent }
    })
}

function pathOf({ method, path, operation }: Route, schemas: Schemas, service: FuzzedService): fc.Arbitrary<string> {
  const mayKnow = !usesUpKnownIds.test(`${method} ${path}`)
  const parameters = operation.parameters ?? []
  const parts = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => fc.tuple(fc.constant(name), mayKnow ? idOf(service.knownFor(name, method)) : hostileText))
  const queries = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      const value = fc.oneof(
        arbitraryOf(schema, schemas),
        hostileText,
        fc.constantFrom(...service.knownFor(name, method)),
      )
      return fc.option(fc.tuple(fc.constant(name), value), { nil: null, freq: 2 })
    })
  return fc
    .tuple(fc.tuple(...parts), fc.tuple(...queries), fc.option(hostileText, { freq: 8, nil: '' }))
    .map(([names, pairs, extra]) => {
      const filled = names.reduce((whole, [name, id]) => whole.replace(`{${name}}`, escapePart(id)), path)
      const query = pairs.filter((pair) => pair !== null).map(([name, value]) => `${name}=${escapePart(String(value))}`)
      if (extra !== '') query.push(`${escapePart(extra)}=${escapePart(extra)}`)
      return query.length === 0 ? filled : `${filled}?${query.join('&')}`.slice(0, 12_000)
    })
}

function idOf(known: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: hostileText })
}

/** An empty part would be another route. */
function escapePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 4_000).replace(/%.?$/, '') || '%20'
}

function headersOf({ adminKey, assistantKey, formToken, cookie }: FuzzedService, path: string) {
  const bearer = (key: string) => fc.constant({ authorization: `Bearer ${key}` })
  const [right, wrong] = /^\/(?:discovery|sites)\//.test(path) ? [assistantKey, adminKey] : [adminKey, assistantKey]
  const credential = fc.oneof(
    { weight: 8, arbitrary: bearer(right) },
    { weight: 1, arbitrary: bearer(wrong) },
    // Who signs out has no session for the inputs that follow.
    { weight: path.endsWith('/sign-out') ? 0 : 2, arbitrary: sessionOf(cookie, formToken) },
    { weight: 1, arbitrary: sessionOf(cookie, 'forged') },
    { weight: 1, arbitrary: headerText.map((text) => ({ authorization: text })) },
    { weight: 1, arbitrary: fc.constant({}) },
  )
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data') },
    { weight: 1, arbitrary: headerText },
  )
  const others = fc.dictionary(
    fc.constantFrom(...otherHeaders),
    fc.oneof(headerText, fc.constantFrom('1', 'gzip', 'https://a.example', '127.0.0.1', 'bytes=0-1', 'text/html')),
    { maxKeys: 2 },
  )
  return fc.record({ credential, type, others }).map(({ credential: chosen, type: contentType, others: more }) => ({
    'content-type': contentType,
    ...chosen,
    ...more,
  }))
}

function sessionOf(cookie: string, formToken: string) {
  return fc.constant({ cookie, 'x-docent-form-token': formToken })
}

const otherHeaders = [
  'origin',
  'x-docent-identity',
  'x-docent-client',
  'idempotency-key',
  'last-event-id',
  'x-forwarded-for',
  'accept',
  'accept-language',
  'content-encoding',
  'user-agent',
  'if-none-match',
  'range',
  'sec-fetch-site',
  'cookie',
  'access-control-request-headers',
]

/** What a header may hold at all: clients refuse to send the rest. */
const headerText = fc
  .oneof(hostileText, fc.string({ maxLength: 30 }))
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3_000))

function bodyOf(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<string> {
  const valid = arbitraryOf(schema, schemas)
  const changed = fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([value, changes]) => changes.reduce<unknown>(mutate, value))
  const cut = fc.tuple(valid, fc.nat(200)).map(([value, at]) => (JSON.stringify(value) ?? '').slice(0, at))
  const json = (value: fc.Arbitrary<unknown>) => value.map((each) => JSON.stringify(each) ?? '')
  return fc.oneof(
    { weight: 6, arbitrary: json(valid) },
    { weight: 8, arbitrary: json(changed) },
    { weight: 1, arbitrary: json(hostileValue) },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.constantFrom(...brokenJson) },
  )
}

const brokenJson = [
  '{',
  'NaN',
  '{"a":1,}',
  "{'a':1}",
  '\ufeff{}',
  '[1',
  '"\\ud800"',
  '{"a":1}{"a":1}',
  '1e999',
  '\u0000',
]
