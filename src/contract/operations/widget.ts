import {
  widgetCheckRequestSchema,
  widgetCheckSchema,
  widgetOriginListSchema,
  widgetOriginSchema,
} from '../widget-launch.ts'
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
  listWidgetOrigins: {
    method: 'get',
    path: '/admin/v1/sites/{id}/widget/origins',
    summary: 'List the origins of the widget',
    description: 'Origins whose pages may use a public key of the site, and when the widget was last asked there.',
    access: 'viewer',
    params,
    replies: { 200: { description: 'The origins.', json: widgetOriginListSchema } },
  },
  addWidgetOrigin: {
    method: 'post',
    path: '/admin/v1/sites/{id}/widget/origins',
    summary: 'Add an origin to the widget',
    description: "Adds it to the site's public key, which is created if there is none. Adding it again has no effect.",
    access: 'owner',
    audit: 'widget-origin-added',
    dashboardEvent: 'key-changed',
    params,
    body: widgetOriginSchema,
    replies: { 200: { description: 'The origins.', json: widgetOriginListSchema } },
  },
  checkWidget: {
    method: 'post',
    path: '/admin/v1/sites/{id}/widget/check',
    summary: 'Check the widget on a page',
    description:
      'Fetches a public page, without its scripts, and reports why the widget would not work there. Changes nothing. Takes up to ten seconds.',
    access: 'editor',
    params,
    body: widgetCheckRequestSchema,
    replies: { 200: { description: 'The result of each step.', json: widgetCheckSchema } },
  },
})
