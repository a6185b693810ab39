import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { Settings } from '../../src/config/settings.ts'
import type { Framing } from './recorded-server.ts'

const folder = join(import.meta.dirname, '../fixtures/recorded')

/** A way in which a provider is spoken to. */
export interface Protocol {
  name: string
  model: string
  framing: Framing
  /** Folder of its recordings, in the project's own and in the shared ones. */
  recordings: string
  sharedRecordings: string
  /** The path of a request, behind the address. */
  path: RegExp
}

export const protocols: readonly Protocol[] = [
  {
    name: 'OpenAI responses',
    model: 'openai/gpt-5',
    framing: 'named',
    recordings: 'openai',
    sharedRecordings: 'openai',
    path: /^\/responses$/,
  },
  {
    name: 'OpenAI chat completions',
    model: 'openai-chat/gpt-4.1-mini',
    framing: 'data-until-done',
    recordings: 'chat-completions',
    sharedRecordings: 'openai-chat',
    path: /^\/chat\/completions$/,
  },
  {
    name: 'Anthropic',
    model: 'anthropic/claude-sonnet-4-5',
    framing: 'named',
    recordings: 'anthropic',
    sharedRecordings: 'anthropic',
    path: /^\/messages$/,
  },
  {
    name: 'Google',
    model: 'google/gemini-2.5-flash',
    framing: 'data',
    recordings: 'google',
    sharedRecordings: 'google',
    path: /^\/models\/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/,
  },
  {
    name: 'OpenAI-compatible',
    model: 'openai-compatible/qwen3:8b',
    framing: 'data-until-done',
    recordings: 'chat-completions',
    sharedRecordings: 'openai-compatible',
    path: /^\/chat\/completions$/,
  },
]

/** Settings that send a protocol's calls to the server of a test. */
export function settingsOf(
  { model }: Pick<Protocol, 'model'>,
  url: string,
  env: Record<string, string> = {},
): Settings {
  return loadSettings({
    env: { DOCENT_MODEL: model, DOCENT_MODEL_BASE_URL: url, DOCENT_MODEL_API_KEY: 'key-of-test', ...env },
  })
}

/** The events of one of the project's own recordings. */
export function readRecording({ recordings }: Protocol, name: string): string[] {
  return readEvents(join(folder, recordings, `${name}.jsonl`))
}

export function readEvents(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
