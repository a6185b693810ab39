import { createScriptedModel, type ScriptedModel } from './scripted-model.ts'

/** A model that says `first `, waits for its gate, and says `second.` */
export interface GatedModel extends ScriptedModel {
  /** Lets every answer that was asked for since the last `close` go on. */
  open(): void
  /** Answers from now on wait. */
  close(): void
  /** Whether the newest call was told to stop. */
  isStopped(): boolean
}

export function createGatedModel(): GatedModel {
  let gate = Promise.withResolvers<void>()
  const model = createScriptedModel([
    [
      { type: 'text', text: 'first ' },
      {
        type: 'wait',
        // Read when an answer comes to it, so that it is the gate of that time.
        get until() {
          return gate.promise
        },
      },
      { type: 'text', text: 'second.' },
    ],
  ])
  return Object.assign(model, {
    open: () => gate.resolve(),
    close: () => (gate = Promise.withResolvers()),
    isStopped: () => model.calls.at(-1)?.abortSignal?.aborted === true,
  })
}
