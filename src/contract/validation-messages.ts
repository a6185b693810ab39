import { z } from 'zod'
import { joinWords } from './join-words.ts'

// The library's own sentences say what its parser found, not what to send. These complete the path of the value, as in
// "pageSize: must be a whole number". A schema's own message takes precedence.
z.config({ localeError: describeIssue })

type Issue = z.core.$ZodRawIssue

const typeNames: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formatNames: Partial<Record<string, string>> = {
  url: 'a URL such as https://docs.example.com',
  email: 'an e-mail address',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  json_string: 'JSON',
}

const units: Partial<Record<string, [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function describeIssue(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nameType(issue.expected)}`
    case 'too_small':
      return describeBound(issue, issue.minimum, 'at least', 'more than')
    case 'too_big':
      return describeBound(issue, issue.maximum, 'at most', 'less than')
    case 'invalid_value':
      return mustBeOneOf(issue.values)
    case 'invalid_format':
      return describeFormat(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return describeUnion(issue)
    case 'invalid_key':
      return 'has a key of the wrong form'
    case 'invalid_element':
    case 'custom':
      return 'is not valid'
  }
}

function mustBeOneOf(values: readonly unknown[]): string {
  return `must be ${joinWords(
    values.map((value) => JSON.stringify(value)),
    'or',
  )}`
}

function nameType(expected: string): string {
  return typeNames[expected] ?? `a valid ${expected}`
}

function describeFormat({ format, prefix }: Extract<Issue, { code: 'invalid_format' }>): string {
  if (typeof prefix === 'string') return `must begin with ${prefix}`
  return formatNames[format] === undefined ? 'has the wrong form' : `must be ${formatNames[format]}`
}

function describeBound(
  { origin, inclusive, exact }: { origin: string; inclusive?: boolean; exact?: boolean },
  bound: number | bigint,
  within: string,
  beyond: string,
): string {
  const unit = units[origin]
  if (unit !== undefined && within === 'at least' && bound === 1) return 'must not be empty'
  const amount = `${exact === true ? 'exactly' : inclusive === false ? beyond : within} ${bound}`
  return unit === undefined ? `must be ${amount}` : `must have ${amount} ${unit[bound === 1 ? 0 : 1]}`
}

/** Which types are allowed, if the value has none of them. Which of several objects was meant is not known. */
function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (Array.isArray(issue.options)) return mustBeOneOf(issue.options)
  const types = new Set<string>()
  for (const [first] of issue.errors) {
    if (first?.code !== 'invalid_type' || first.path.length > 0) return 'has none of the accepted forms'
    types.add(nameType(first.expected))
  }
  return `must be ${joinWords([...types], 'or')}`
}
