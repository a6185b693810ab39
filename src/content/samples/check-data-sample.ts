import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'
import { parseAllDocuments } from 'yaml'
import { isTameYaml } from '../../base/is-tame-yaml.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import { hasPlaceholder, lineAt, type Sample, type SampleVerdict, undecided } from './sample.ts'
import { findSchemaFault, type SchemaSource } from './schema-fault.ts'

/** Longer ones are data, not samples, and checking that keys are unique takes quadratic time. */
const codeCharsMax = 50_000
const tolerant = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true }

/** @param schemas The site's schemas, by the last segment of the address that names them. */
export function checkDataSample(sample: Sample, schemas: ReadonlyMap<string, SchemaSource>): SampleVerdict {
  if (hasPlaceholder(sample.code, sample.language)) return { outcome: 'undecided', basis: 'a placeholder' }
  if (sample.language === 'toml') return checkToml(sample)
  return sample.language.startsWith('y') ? checkYaml(sample, schemas) : checkJson(sample, schemas)
}

function checkJson({ code }: Sample, schemas: ReadonlyMap<string, SchemaSource>): SampleVerdict {
  const faults: ParseError[] = []
  const value: unknown = parse(code, faults, tolerant)
  const [fault] = faults
  if (fault === undefined) return checkAgainstSchema(code, value, schemas)
  if (isSeveralValues(code) || isFragment(code)) return { outcome: 'right', basis: 'JSON syntax' }
  // Comments of another language are for the reader.
  if (/\s# /.test(code)) return undecided
  // Pretty-printed objects of a console, and property lists of another language, are not meant to be JSON.
  if (!/^\s*[[{"]/.test(code) || !/"[^"\n]*"\s*:|"[\w$-]+:|^\s*\[/m.test(code)) return undecided
  const line = lineAt(code, fault.offset)
  const message = `The sample is not valid JSON: ${describe(fault)}.`
  return { outcome: 'wrong', basis: 'JSON syntax', message, line, subject: subjectOf(code, line) }
}

const describe = (fault: ParseError) =>
  printParseErrorCode(fault.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

/** Lines, or objects one after the other. */
function isSeveralValues(code: string): boolean {
  const joined = `[${code
    .trim()
    .replace(/\}\s*\n\s*\{/g, '},{')
    .replace(/\n(?=[{["\d])/g, (end, at: number) => (/[,[{(]\s*$/.test(code.trim().slice(0, at)) ? end : ',\n'))}]`
  const faults: ParseError[] = []
  parse(joined, faults, tolerant)
  return faults.length === 0
}

/** Properties without the braces around them. */
function isFragment(code: string): boolean {
  const faults: ParseError[] = []
  parse(`{${code}}`, faults, tolerant)
  return faults.length === 0
}

function checkYaml({ code }: Sample, schemas: ReadonlyMap<string, SchemaSource>): SampleVerdict {
  if (code.length > codeCharsMax || !isTameYaml(code)) return { outcome: 'undecided', basis: 'its size' }
  const documents = parseAllDocuments(code, { prettyErrors: false, logLevel: 'silent', uniqueKeys: true })
  const list = Array.isArray(documents) ? documents : []
  const fault = list.flatMap(({ errors }) => errors)[0]
  if (fault === undefined) {
    const value: unknown = list.length === 1 ? list[0]?.toJS({ maxAliasCount: 100 }) : undefined
    return checkAgainstSchema(code, value, schemas, 'YAML syntax')
  }
  const line = lineAt(code, fault.pos[0])
  // Samples show alternatives one after the other.
  if (fault.code === 'DUPLICATE_KEY' || fault.code === 'TAG_RESOLVE_FAILED') return undecided
  const message = `The sample is not valid YAML: ${fault.message.split('\n')[0]?.replace(/\.$/, '')}.`
  return { outcome: 'wrong', basis: 'YAML syntax', message, line, subject: subjectOf(code, line) }
}

function checkToml({ code }: Sample): SampleVerdict {
  if (code.length > codeCharsMax) return { outcome: 'undecided', basis: 'its size' }
  try {
    parseToml(code)
    return { outcome: 'right', basis: 'TOML syntax' }
  } catch (error) {
    // Samples show alternatives one after the other, and TOML 1.1 breaks the lines of inline tables.
    if (!(error instanceof TomlError) || /redefin|already|duplicate/i.test(error.message) || /\{[ \t]*$/m.test(code))
      return undecided
    const line = error.line - 1
    const reason = error.message.replace(/^Invalid TOML document: /, '').split('\n')[0]
    const message = `The sample is not valid TOML: ${reason}.`
    return { outcome: 'wrong', basis: 'TOML syntax', message, line, subject: subjectOf(code, line) }
  }
}

function checkAgainstSchema(
  code: string,
  value: unknown,
  schemas: ReadonlyMap<string, SchemaSource>,
  syntax = 'JSON syntax',
): SampleVerdict {
  const named = isRecord(value) && typeof value['$schema'] === 'string' ? value['$schema'] : null
  const source = named === null ? undefined : schemas.get(named.split('/').at(-1) ?? '')
  if (source === undefined) return { outcome: 'right', basis: syntax }
  const fault = findSchemaFault(source, value)
  const basis = `schema ${source.document.file}`
  if (fault === null) return { outcome: 'right', basis }
  const line = Math.max(
    0,
    code.split('\n').findIndex((text) => text.includes(fault.name)),
  )
  return { outcome: 'wrong', basis, message: `By ${source.document.file}, ${fault.message}`, line, subject: fault.name }
}

/** What a reader recognizes the place by. */
function subjectOf(code: string, line: number): string {
  const lines = code.split('\n')
  return (lines[line]?.trim() || lines.find((text) => text.trim() !== '')?.trim() || 'sample').slice(0, 60)
}
