/**
 * Loaded by `--import` into each process of the campaign's store. The failpoints wrap the drivers that the services use
 * (pg, http, fetch, kafkajs, nodemailer); the services' own code has none.
 */

import { wrapCalls } from './calls.ts'
import { skewClock } from './clock.ts'
import { openFailpoints } from './failpoint.ts'
import { wrapKafka } from './kafka.ts'
import { wrapMail } from './mail.ts'
import { wrapPostgres } from './postgres.ts'

const failpoints = openFailpoints(process.env)
skewClock(failpoints)
wrapPostgres(failpoints)
wrapCalls(failpoints, process.env)
wrapKafka(failpoints)
if (failpoints.program === 'notification') wrapMail(failpoints)
