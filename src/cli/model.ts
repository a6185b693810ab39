import type { Command } from 'commander'
import { offlineModelId } from '../contract/model-providers.ts'
import type { LocalModel, ModelCheckItem } from '../contract/model-settings.ts'
import { findLocalModels } from '../models/find-local-models.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** Mounts `docent model …`. */
export function addModelCommands(program: Command, output: () => Output): void {
  const model = program.command('model').description('try out models, and find those on this machine')
  model
    .command('find')
    .description('ask Ollama and LM Studio on this machine for their models, and say how to use them')
    .action(() => findModels(output()))
  model
    .command('check')
    .description('say what a model can do: streaming, tools, prompt caching, images and embeddings')
    .argument('[model]', 'a model other than the current one, as provider/model')
    .action((id?: string) => checkModel(output(), id))
}

async function findModels(output: Output): Promise<void> {
  const found = await findLocalModels()
  output.result(
    found,
    () => describeLocalModels(found) ?? 'Neither Ollama nor LM Studio offers a model on this machine.',
  )
}

/** The settings that would use each model; null if there is none. */
export function describeLocalModels(found: readonly LocalModel[]): string | null {
  if (found.length === 0) return null
  const lines = found.map(
    ({ server, id, baseUrl }) => `  DOCENT_MODEL=${id} DOCENT_MODEL_BASE_URL=${baseUrl}   (${server})`,
  )
  return `This machine offers language models. To use one, start Docent with its settings:\n\n${lines.join('\n')}\n`
}

/** Says first what it may cost. Exits with 1 if the model cannot be used. */
async function checkModel(output: Output, model: string | undefined): Promise<void> {
  const check = await withClient(async (client) => {
    const estimate = await client.checkModel({ query: { scope: 'estimate', model } })
    if (estimate.model === offlineModelId) return estimate
    output.progress(estimate.message)
    return client.checkModel({ query: { scope: 'full', model } })
  })
  const table = () => formatTable(['CHECK', 'RESULT', 'WHAT WAS FOUND'], check.checks.map(toRow))
  output.result(check, () => (check.checks.length === 0 ? check.message : `${table()}\n\n${check.message}`))
  if (!check.isUsable) process.exitCode = 1
}

const toRow = ({ check, state, message }: ModelCheckItem) => [check, state, message]
