import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ToolDefinition } from './tool-definition.ts'

/** Schemas are constants, and converting one costs more than a whole answer of the offline model. */
const jsonSchemas = new WeakMap<z.ZodObject, LanguageModelV4FunctionTool['inputSchema']>()

/** Describes a tool to a provider. */
export function describeTool({ name, description, inputSchema }: ToolDefinition): LanguageModelV4FunctionTool {
  let schema = jsonSchemas.get(inputSchema)
  if (schema === undefined) {
    // zod's type of a JSON Schema differs from the provider's only in the name of its draft.
    schema = z.toJSONSchema(inputSchema, {
      target: 'draft-7',
      io: 'input',
    }) as LanguageModelV4FunctionTool['inputSchema']
    jsonSchemas.set(inputSchema, schema)
  }
  return { type: 'function', name, description, inputSchema: schema }
}
