import { type ParseError, parse } from 'jsonc-parser'
import {
  type ApiOperation,
  listParameters,
  listServerUrls,
  resolveObject,
  textOf,
  toObject,
} from '../openapi/openapi-document.ts'
import { operationName } from '../openapi/openapi-page.ts'
import { hasPlaceholder, type SampleVerdict } from './sample.ts'
import { findSchemaFault } from './schema-fault.ts'
import type { ShellCommand } from './shell-words.ts'

interface Request {
  method: string
  url: URL
  body: string | null
  line: number
}

const unknownServer: SampleVerdict = { outcome: 'undecided', basis: 'no API description for this address' }
const valueFlags = new Set(
  '-H --header -u --user -o --output -A --user-agent -F --form --data-urlencode -b --cookie -m --max-time --connect-timeout --url -e --retry -w --write-out -T -K --cacert --cert --key -x --proxy'.split(
    ' ',
  ),
)
const formFlags = new Set(['-F', '--form', '--data-urlencode'])
const dataFlags = new Set('-d --data --data-raw --data-binary --data-ascii --json'.split(' '))

/** Checks a `curl` command against the operations of the site's API descriptions. */
export function checkRequestSample(command: ShellCommand, operations: readonly ApiOperation[]): SampleVerdict {
  const request = readRequest(command)
  if (request === null) return unknownServer
  const served = operations.filter((operation) => localPathOf(operation, request.url) !== null)
  if (served.length === 0) return unknownServer
  const fitting = served.filter((operation) => fits(operation, localPathOf(operation, request.url) ?? ''))
  const [{ document }] = served as [ApiOperation]
  const basis = document.file
  const wrong = (message: string, subject: string): SampleVerdict => ({
    outcome: 'wrong',
    basis,
    message,
    line: request.line,
    subject,
  })
  const path = request.url.pathname
  if (fitting.length === 0) return wrong(`By ${basis}, there is no path ${path}.`, path)
  const operation = fitting.find(({ method }) => method === request.method)
  const name = operationName({ method: request.method, path })
  if (operation === undefined) return wrong(`By ${basis}, there is no operation ${name}.`, name)
  const fault = findQueryFault(operation, request) ?? findBodyFault(operation, request)
  const target = operationName(operation)
  return fault === null
    ? { outcome: 'right', basis: `${basis}, ${target}` }
    : wrong(`By ${target} in ${basis}, ${fault.message}`, fault.name)
}

function readRequest({ words, line }: ShellCommand): Request | null {
  const given: { method?: string; address?: string; body?: string; isForm?: boolean; isQuery?: boolean } = {}
  for (let index = 1; index < words.length; index++) {
    const { text = '' } = words[index] ?? {}
    const [, flag = text, inline] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? []
    const next = () => inline ?? words[++index]?.text ?? ''
    if (flag === '-X' || flag === '--request') given.method = next().toLowerCase()
    else if (/^-X\w+$/.test(flag)) given.method = flag.slice(2).toLowerCase()
    else if (flag === '-I' || flag === '--head') given.method = 'head'
    else if (flag === '-G' || flag === '--get') given.isQuery = true
    else if (flag === '--url') given.address = next()
    else if (dataFlags.has(flag)) given.body = next()
    else if (valueFlags.has(flag)) {
      given.isForm ||= formFlags.has(flag)
      next()
    } else if (!flag.startsWith('-')) given.address ??= flag
  }
  const { isForm = false, isQuery = false } = given
  const url = readAddress(given.address ?? '')
  const hasData = isForm || given.body !== undefined
  if (url === null || (isQuery && hasData)) return null
  return { method: given.method ?? (hasData ? 'post' : 'get'), url, body: isForm ? null : (given.body ?? null), line }
}

/** A variable in an address matches one segment of it. */
function readAddress(address: string): URL | null {
  const filled = address.replace(/\$\{?(\w+)\}?|\{\{?(\w+)\}?\}|<([\w-]+)>/g, 'placeholder-$1$2$3')
  const url = URL.parse(filled)
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}

/** The path below the operation's server; null if the address is of another one. */
function localPathOf(operation: ApiOperation, url: URL): string | null {
  for (const server of listServerUrls(operation)) {
    const base = URL.parse(server)
    if (base === null || base.host !== url.host) continue
    const prefix = base.pathname.replace(/\/$/, '')
    if (url.pathname.startsWith(`${prefix}/`) || prefix === '') return url.pathname.slice(prefix.length)
  }
  return null
}

function fits({ path }: ApiOperation, local: string): boolean {
  const [wanted, given] = [path, local].map((each) => each.replace(/\/$/, '').split('/'))
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return false
  return wanted.every(
    (part, index) => part.includes('{') || part === given[index] || given[index]?.includes('placeholder-'),
  )
}

interface RequestFault {
  name: string
  message: string
}

function findQueryFault(operation: ApiOperation, { url }: Request): RequestFault | null {
  const parameters = listParameters(operation).filter((parameter) => textOf(parameter['in']) === 'query')
  const known = new Set(parameters.map((parameter) => textOf(parameter['name'])))
  for (const name of url.searchParams.keys()) {
    const bare = name.replace(/\[.*$/, '')
    if (!known.has(name) && !known.has(bare) && !known.has(`${bare}[]`))
      return { name, message: `there is no parameter \`${name}\`.` }
  }
  const missing = parameters.find(
    (parameter) => parameter['required'] === true && !url.searchParams.has(textOf(parameter['name'])),
  )
  const name = textOf(missing?.['name'])
  return missing === undefined ? null : { name, message: `the parameter \`${name}\` is required.` }
}

function findBodyFault({ document, value }: ApiOperation, { body }: Request): RequestFault | null {
  const content = toObject(resolveObject(document, value['requestBody'])['content'])
  const schema = toObject(toObject(content['application/json'])['schema'])
  if (body === null || !/^\s*[{[]/.test(body) || Object.keys(schema).length === 0) return null
  const faults: ParseError[] = []
  const data: unknown = parse(body, faults, { allowTrailingComma: true })
  if (faults.length > 0)
    return hasPlaceholder(body) || /['$]/.test(body) ? null : { name: 'body', message: 'the body is not valid JSON.' }
  const fault = findSchemaFault({ document, schema }, data)
  // What is left out of a shortened body is not missing.
  return fault !== null && hasPlaceholder(body) ? null : fault
}
