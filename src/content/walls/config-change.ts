import { isDeepStrictEqual } from 'node:util'
import { parse as parseJsonc, type ParseError } from 'jsonc-parser'
import { parseDocument } from 'yaml'
import { toYamlValue } from '../../base/yaml-value.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import type { CodeItem } from './code-item.ts'
import { isHarmfulAddress, readAddress } from './harmful-address.ts'
import { listHtmlCode } from './html-code.ts'
import { doubtfulBreak, listYamlCode } from './page-code.ts'

/** Keys of a navigation whose addresses are fetched when the site is built or shown, or where readers are sent. */
const fetchedKeys = new Set(
  (
    'openapi asyncapi source script scripts $ref destination directory file path include src icon image img logo ' +
    'favicon background cover font css js'
  ).split(' '),
)
/** Leaves the folder of the site, or names a file of the machine. */
const outsidePath = /(?:^|[\\/])\.\.(?:[\\/]|$)|^~[\\/]|^file:|^[a-z]:\\|^\/(?:etc|proc|home|root|usr|var)\//i

/**
 * Says what a change of a configuration file touches besides its navigation.
 *
 * @param keys The top-level keys that contain navigation; absent if the whole file does.
 * @returns Completes the sentence "the change touches …"; null if it touches nothing else. Null as well if the file is
 *   not valid after the change, which other checks report.
 */
export function findConfigChange(file: string, change: ConfigChange): string | null {
  try {
    return compareConfig(file, change)
  } catch (error) {
    if (error instanceof RangeError) return 'a file that is nested too deeply to be read'
    throw error
  }
}

interface ConfigChange {
  before: string | null
  after: string
  keys: readonly string[] | undefined
}

function compareConfig(file: string, { before, after, keys }: ConfigChange): string | null {
  const [old, now] = [before === null ? {} : parseConfig(file, before), parseConfig(file, after)]
  if (!isRecord(now) || !isRecord(old)) return 'a file that cannot be parsed'
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  const touched = [...names].filter((name) => !isDeepStrictEqual(old[name], now[name]))
  const other = keys === undefined ? undefined : touched.find((name) => !keys.includes(name))
  if (other !== undefined) return `\`${other}\`, which is not navigation`
  const known = new Set(listAddresses(old))
  const address = listAddresses(now).find((found) => !known.has(found))
  if (address !== undefined)
    return `${address.slice(0, 200)}, which is fetched, run, outside of the site, or sends readers elsewhere`
  return findAddedTag(file, before, after)
}

/** Names what a change of a YAML file adds that readers of it evaluate; like `findConfigChange`. */
export function findAddedTag(file: string, before: string | null, after: string): string | null {
  if (!/\.ya?ml$/i.test(file)) return null
  const tags = new Set(before === null ? [] : listTags(before))
  const tag = listTags(after).find((found) => !tags.has(found))
  return tag === undefined ? null : `the YAML tag ${tag}, which calls code`
}

function parseConfig(file: string, text: string): unknown {
  if (/\.ya?ml$/i.test(file)) {
    const document = parseDocument(text, { logLevel: 'error', prettyErrors: false })
    if (document.errors.length > 0 || doubtfulBreak.test(text)) return null
    try {
      return toYamlValue(document, 200)
    } catch {
      return null
    }
  }
  const errors: ParseError[] = []
  const parsed: unknown = parseJsonc(text, errors, { allowTrailingComma: true })
  // A file to which `$ref` leads may be a list.
  const value = Array.isArray(parsed) ? { items: parsed as unknown[] } : parsed
  // Of a key named like this, other readers make settings.
  return errors.length > 0 || text.includes('__proto__') ? null : value
}

const listTags = (yaml: string) => listYamlCode(yaml, new Set()).map(({ text }: CodeItem) => text)

/** Addresses that are harmful, leave the site's files, or are fetched because of their key, and texts with active markup. */
function listAddresses(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    const address = readAddress(value)
    const isFetched = fetchedKeys.has(key.toLowerCase()) && /^(?:https?:|[\\/]{2})/i.test(address)
    // Some formats write links as in Markdown.
    const [, target = ''] = /\]\(([^)]*)/.exec(value) ?? []
    const isHarmful = isHarmfulAddress(value) || isHarmfulAddress(target)
    const isActive = listHtmlCode(value, { isVue: false }).length > 0
    return isFetched || isHarmful || isActive || outsidePath.test(address) ? [value] : []
  }
  if (Array.isArray(value)) return value.flatMap((inner) => listAddresses(inner, key))
  return isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => listAddresses(inner, name)) : []
}
