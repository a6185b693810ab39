import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { Settings } from '../../src/config/settings.ts'
import {
  type ModelProtocol,
  modelProviders,
  type ProviderName,
  providerNames,
} from '../../src/contract/model-providers.ts'
import type { Framing } from './recorded-server.ts'

const folder = join(import.meta.dirname, '../fixtures/recorded')

interface Wire {
  framing: Framing
  /** Folder of the project's own recordings. */
  recordings: string
  /** The path of a request, behind the address. */
  path: RegExp
}

const wires: Readonly<Record<ModelProtocol, Wire>> = {
  'openai-responses': { framing: 'named', recordings: 'openai', path: /^\/responses$/ },
  'chat-completions': { framing: 'data-until-done', recordings: 'chat-completions', path: /^\/chat\/completions$/ },
  'anthropic-messages': { framing: 'named', recordings: 'anthropic', path: /^\/messages$/ },
  gemini: {
    framing: 'data',
    recordings: 'google',
    path: /^\/models\/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/,
  },
  'bedrock-converse': {
    framing: 'amazon',
    recordings: 'bedrock',
    path: /^\/model\/eu\.anthropic\.claude-sonnet-4-5-20250929-v1%3A0\/converse-stream$/,
  },
  mistral: { framing: 'data-until-done', recordings: 'mistral', path: /^\/chat\/completions$/ },
  cohere: { framing: 'named', recordings: 'cohere', path: /^\/chat$/ },
}

/** A provider and how it is spoken to. */
export interface Protocol extends Wire {
  name: string
  model: string
  /** Folder among the shared recordings. */
  sharedRecordings: string
}

export function protocolOf(provider: ProviderName): Protocol {
  const { label, protocol, exampleModel } = modelProviders[provider]
  return { ...wires[protocol], name: label, model: `${provider}/${exampleModel}`, sharedRecordings: provider }
}

export const protocols: readonly Protocol[] = providerNames.map(protocolOf)

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
