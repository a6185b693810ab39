import type { z } from 'zod'
import type { JsonValue } from '../../contract/json.ts'

/** A tool that a model may call. Plain data: a list of tools is the whole configuration. */
export interface ToolDefinition<Schema extends z.ZodObject = z.ZodObject> {
  /** Unique among the tools of one loop; letters, digits, `_` and `-`. */
  name: string
  /** For the model: what it does and when to use it. */
  description: string
  inputSchema: Schema
  /** Most characters of JSON per result that the model receives; longer results are truncated. */
  resultCharsMax: number
  /**
   * A method, not a property, so that tools with different inputs fit in one list.
   *
   * May reject: the loop passes an `AppError`'s message to the model and hides the text of any other error.
   */
  run(input: z.output<Schema>, signal: AbortSignal): Promise<JsonValue>
}
