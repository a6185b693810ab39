import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displaySetting, loadSettings, SettingsError } from './load-settings.ts'
import { listSettings } from './settings.ts'

function faultsOf(env: Record<string, string>, configFile?: string) {
  try {
    loadSettings({ env, configFile })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.faults.map(({ where, message }) => `${where} ${message}`)
    throw error
  }
}

describe('loadSettings', () => {
  it('has a default for everything', () => {
    expect(loadSettings({ env: {} })).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      model: 'docent/offline',
      limitKeyPerMonth: 10_000,
    })
  })

  it('lets the environment win over the file, and the file over the defaults', () => {
    const configFile = JSON.stringify({ port: 4100, host: '0.0.0.0' })

    expect(loadSettings({ env: { PORT: '4200' }, configFile })).toMatchObject({ port: 4200, host: '0.0.0.0' })
  })

  it('takes an empty variable for one that is not set', () => {
    expect(loadSettings({ env: { PORT: ' ', DOCENT_BASE_URL: '' } }).port).toBe(4000)
  })

  it.each(['https://owner:secret@docs.example.com', 'https://docs.example.com/?a=b', 'https://docs.example.com/#a'])(
    'shows nobody what is in a public address besides host and path: %s',
    (address) => {
      const faults = faultsOf({ DOCENT_BASE_URL: address })

      expect(faults).toEqual(['DOCENT_BASE_URL has a password, a query or a fragment. Leave it out'])
    },
  )

  it('lists every fault at once, of the environment and of the file', () => {
    const env = {
      PORT: 'http',
      DOCENT_MODLE: 'x/y',
      DATABASE_URL: 'postgres://db/docent',
      DOCENT_ADMIN_KEY: `svc_dsc_${'a'.repeat(40)}`,
    }

    expect(faultsOf(env, '{ "hots": "x", "logLevel": "loud" }')).toEqual([
      'hots in docent.config.json is not a setting: did you mean host?',
      'DOCENT_MODLE is not a setting: did you mean DOCENT_MODEL?',
      expect.stringContaining('DOCENT_SECRET_KEY is missing'),
      'PORT is not a whole number',
      expect.stringContaining('DOCENT_ADMIN_KEY is not an admin key'),
      'logLevel in docent.config.json is not one of debug, info, warn, error, silent',
    ])
  })

  it('says what is wrong with a file that cannot be read', () => {
    expect(faultsOf({}, '{')).toEqual([expect.stringMatching(/^docent\.config\.json is not JSON: /)])
    expect(faultsOf({}, '[1]')).toEqual(['docent.config.json does not hold a JSON object'])
  })

  it('leaves variables of other programs alone', () => {
    expect(faultsOf({ PATH: '/bin', NODE_ENV: 'test', MY_DOCENT_PORT: '1' })).toEqual([])
  })

  it('never throws anything but a list of faults', () => {
    const values = fc.dictionary(fc.constantFrom(...listSettings().map(({ meta }) => meta.env)), fc.string())

    fc.assert(
      fc.property(
        values,
        fc.option(fc.json(), { nil: undefined }),
        (env, configFile) => void faultsOf(env, configFile),
      ),
    )
  })
})

it('shows no secret', () => {
  const settings = loadSettings({
    env: { DATABASE_URL: 'postgres://u:hunter2@db/docent', DOCENT_SECRET_KEY: 'x'.repeat(32) },
  })

  expect(displaySetting('databaseUrl', settings)).toBe('(hidden)')
  expect(displaySetting('secretKey', settings)).toBe('(hidden)')
  expect(displaySetting('baseUrl', settings)).toBeNull()
})
