import { config } from 'zod/v4/core'

// What the SDK checks messages with looks whether it may make code of text, which the policy of the page refuses and
// reports. It looks when its schemas are made, so that this has to be imported before the SDK.
config({ jitless: true })
