/** One seed for all property tests, so that runs are reproducible; CAIRN_SEED sets another. */

import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.CAIRN_SEED ?? 20261121) })
