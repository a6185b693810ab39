import { z } from 'zod'
import type { LocalModel } from '../contract/model-settings.ts'
import type { Settings } from '../config/settings.ts'
import { readBodyStart } from '../base/body-start.ts'

/** A program on this machine that serves models. */
export interface LocalServer {
  name: string
  /** As a model's base URL. */
  baseUrl: string
  /** Lists its models. */
  listUrl: string
  readNames(reply: unknown): string[]
}

const ollamaSchema = z.object({ models: z.array(z.object({ name: z.string() })) })
const openAiSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** The usual addresses, on this machine only. No other address is ever asked. */
const localServers: readonly LocalServer[] = [
  {
    name: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    listUrl: 'http://127.0.0.1:11434/api/tags',
    readNames: (reply) => ollamaSchema.parse(reply).models.map(({ name }) => name),
  },
  {
    name: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    listUrl: 'http://127.0.0.1:1234/v1/models',
    readNames: (reply) => openAiSchema.parse(reply).data.map(({ id }) => id),
  },
]

const limitMs = 800
const replyBytesMax = 1_000_000
const modelsMax = 20
/** Embedding models cannot answer. Other names are left out, because they are printed as a command. */
const isOfferable = (name: string): boolean => /^[\w.:@/-]{1,200}$/.test(name) && !/embed/i.test(name)

/** The servers that may be offered: none where replicas share a database, because they do not share a machine. */
export function listLocalServers({
  findLocalModels: isWanted,
  databaseUrl,
}: Pick<Settings, 'findLocalModels' | 'databaseUrl'>): readonly LocalServer[] {
  return isWanted && databaseUrl === undefined ? localServers : []
}

/** Whether a URL leads to the models of one of the servers, not to the rest of what it serves. */
export function isOnLocalServer(servers: readonly LocalServer[], url: URL): boolean {
  return servers.some(({ baseUrl }) => url.href === baseUrl || url.href.startsWith(`${baseUrl}/`))
}

/** Asks the programs that usually serve models on this machine. One that does not answer soon has none. */
export async function findLocalModels(servers: readonly LocalServer[] = localServers): Promise<LocalModel[]> {
  const found = await Promise.all(servers.map((server) => askServer(server).catch((): LocalModel[] => [])))
  return found.flat()
}

async function askServer({ name, baseUrl, listUrl, readNames }: LocalServer): Promise<LocalModel[]> {
  const response = await fetch(listUrl, { signal: AbortSignal.timeout(limitMs), redirect: 'error' })
  const { bytes, isWhole } = await readBodyStart(response.body, replyBytesMax)
  if (!response.ok || !isWhole) return []
  const names = readNames(JSON.parse(bytes.toString('utf8')))
  const offered = names.filter(isOfferable).slice(0, modelsMax)
  return offered.map((model) => ({ server: name, id: `openai-compatible/${model}`, baseUrl }))
}
