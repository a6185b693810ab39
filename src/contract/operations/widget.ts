import { widgetSettingsSchema, widgetSettingsUpdateSchema, widgetSetupSchema } from '../widget-settings.ts'
import { defineOperations } from './operation.ts'
import { domainParams, siteParams as params } from './params.ts'

const tag = { name: 'Widget', description: 'The widget for websites, and its settings per site.' }

export const widgetOperations = defineOperations(tag, {
  getWidgetSetup: {
    method: 'get',
    path: '/widget/settings/{domain}',
    summary: 'Get what the widget needs on a page',
    description:
      "Any origin may read it. The key is only returned to pages of the origins it is for. A site without public pages is reported as missing, unless the page's origin is one of its own.",
    access: 'public',
    params: domainParams,
    replies: { 200: { description: 'The settings and the key.', json: widgetSetupSchema } },
  },
  getWidgetSettings: {
    method: 'get',
    path: '/admin/v1/sites/{id}/widget',
    summary: 'Get the settings of the widget',
    access: 'viewer',
    params,
    replies: { 200: { description: 'The settings, with defaults for what is not set.', json: widgetSettingsSchema } },
  },
  updateWidgetSettings: {
    method: 'patch',
    path: '/admin/v1/sites/{id}/widget',
    summary: 'Update the settings of the widget',
    description: 'Updates only the given fields; null restores a default. Pages show it within five minutes.',
    access: 'editor',
    audit: 'widget-changed',
    dashboardEvent: 'site-changed',
    params,
    body: widgetSettingsUpdateSchema,
    replies: { 200: { description: 'The settings.', json: widgetSettingsSchema } },
  },
})
