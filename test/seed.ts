/** One seed for all property tests, so that a run says the same twice; CAIRN_SEED tries another. */

import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.CAIRN_SEED ?? 20261121) })
