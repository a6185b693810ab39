import { configureGlobal } from 'fast-check'

// One seed for everybody, so that a run of the tests says the same on every machine. Another one, or none, looks further:
// FAST_CHECK_SEED=random npm test
const chosen = process.env.FAST_CHECK_SEED
if (chosen !== 'random') configureGlobal({ seed: Number(chosen ?? 20_261_121) })
