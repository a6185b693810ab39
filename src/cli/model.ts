import type { Command } from 'commander'
import { offlineModelId } from '../contract/model-providers.ts'
import type { ModelCheckItem } from '../contract/model-settings.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** Mounts `docent model …`. */
export function addModelCommands(program: Command, output: () => Output): void {
  program
    .command('model')
    .description('try out models')
    .command('check')
    .description('say what a model can do: streaming, tools, prompt caching, images and embeddings')
    .argument('[model]', 'another model than the current one, as provider/model')
    .action((model?: string) => checkModel(output(), model))
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
