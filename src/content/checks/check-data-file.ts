import { parseDocument } from 'yaml'
import { toYamlValue } from '../../base/yaml-value.ts'
import { navigationFiles } from '../formats/site-formats.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import { type Fault, makeFault } from './problem.ts'

const aliasesMax = 200
const faultsMax = 5
/** Longer files are left to reviewers, because checking one takes seconds. */
const textCharsMax = 4 * 1024 * 1024

/** Faults of a JSON or YAML file: invalid syntax, or an invalid API description. CPU-bound. */
export async function checkDataFile(path: string, text: string): Promise<Fault[]> {
  const format = /\.json$/i.test(path) ? 'JSON' : /\.ya?ml$/i.test(path) ? 'YAML' : null
  // Reading the site reports faults of the navigation.
  if (format === null || navigationFiles.includes(path) || text.length > textCharsMax) return []
  const parsed = format === 'JSON' ? parseJsonText(text) : parseYamlText(text)
  if ('fault' in parsed) {
    const message = `The file is not valid ${format}: ${parsed.fault.replace(/[.\s]*$/, '.')} Fix it.`
    return [makeFault({ rule: 'config-unparsable', path, line: parsed.line, message, detail: '' })]
  }
  const isApi =
    isRecord(parsed.value) &&
    (typeof parsed.value['openapi'] === 'string' || typeof parsed.value['swagger'] === 'string')
  return isApi && isRecord(parsed.value) ? checkApiDescription(path, parsed.value) : []
}

type Parsed = { value: unknown } | { fault: string; line: number | null }

function parseJsonText(text: string): Parsed {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    const position = /at position (\d+)/.exec(fault)?.[1]
    return { fault, line: position === undefined ? null : text.slice(0, Number(position)).split('\n').length }
  }
}

function parseYamlText(text: string): Parsed {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error === undefined) return { value: toYamlValue(document, aliasesMax) }
    return { fault: error.message, line: text.slice(0, error.pos[0]).split('\n').length }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error), line: null }
  }
}

/** Validates against the schema of its version and resolves references within the file. Fetches nothing. */
async function checkApiDescription(path: string, value: Readonly<Record<string, unknown>>): Promise<Fault[]> {
  const fault = (text: string): Fault => {
    const message = `The API description is invalid: ${text.slice(0, 300)}. Fix it.`
    return makeFault({ rule: 'openapi-invalid', path, line: null, message, detail: text })
  }
  try {
    // Loaded late, because it compiles slowly and few changes need it.
    const { Validator } = await import('@seriousme/openapi-schema-validator')
    const { valid, errors } = await new Validator().validate({ ...value })
    if (valid) return []
    if (!Array.isArray(errors)) return [fault(errors ?? 'it matches no version of the specification')]
    const texts = errors.map(({ instancePath, message }) => `${instancePath || 'it'} ${message ?? 'is wrong'}`)
    return [...new Set(texts)].slice(0, faultsMax).map(fault)
  } catch (error) {
    return [fault(error instanceof Error ? error.message : String(error))]
  }
}
