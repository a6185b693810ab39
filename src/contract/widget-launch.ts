import { z } from 'zod'
import { timestamp } from './timestamp.ts'

export const widgetOriginSchema = z.strictObject({
  origin: z.string().max(300).meta({ description: 'Origin of pages, such as `https://docs.example.com`.' }),
})

/** Origins on which the widget of a site may be used, besides the pages that Docent serves. */
export const widgetOriginListSchema = z
  .object({
    items: z.array(
      widgetOriginSchema.extend({
        askedAt: timestamp()
          .nullable()
          .meta({ description: 'Latest question from there in the last 7 days, or null.' }),
      }),
    ),
  })
  .meta({ id: 'WidgetOriginList' })

export const widgetCheckRequestSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .meta({ description: 'Address of a public page.' }),
  })
  .meta({ id: 'WidgetCheckRequest' })

const widgetCheckStepSchema = z.object({
  name: z.enum(['page', 'tag', 'site', 'script', 'policy', 'key']),
  state: z.enum(['passed', 'warning', 'failed']).meta({ description: '`warning`: a browser may see it differently.' }),
  message: z.string().meta({ description: 'What was found and, unless it passed, what to do.' }),
})

/** Why the widget would not work on a page. Later steps are left out where an earlier one makes them pointless. */
export const widgetCheckSchema = z
  .object({
    origin: z.string().meta({ description: 'Origin of the page, after redirects.' }),
    steps: z.array(widgetCheckStepSchema),
  })
  .meta({ id: 'WidgetCheck' })

export type WidgetCheck = z.output<typeof widgetCheckSchema>
export type WidgetCheckStep = z.output<typeof widgetCheckStepSchema>
