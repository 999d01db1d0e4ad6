import { serviceNames } from '@nifty/api/services'
import { closeServerSql, createRolesSql } from '@nifty/service-kit/database/database-roles'
import { aclCommands, kafkaRights } from '@nifty/service-kit/messaging/kafka/rights'
import type { Command } from './command.ts'

/** Needs no store: its output prepares the servers that a store uses. */
export const identityCommands: Record<string, Command> = {
  'database-roles': {
    usage: '[resource prefix]',
    about: 'prints SQL that makes the databases and roles of all services on an empty PostgreSQL server',
    run: async (_store, [prefix = '']) =>
      [
        '-- For a superuser of psql. Then set a password for each role: \\password "<role>"',
        closeServerSql,
        ...serviceNames.map((name) => createRolesSql(prefix, name)),
      ].join('\n'),
  },
  'kafka-rights': {
    usage: '<store id> [resource prefix] [user of a service]',
    about:
      "prints a script that grants each service's Kafka user its topics; {service} in the user stands for the service",
    run: async (_store, [storeId = '', prefix = '', user = 'nifty-{service}']) =>
      [
        '# To run with: --bootstrap-server HOST:PORT --command-config ADMIN.PROPERTIES',
        ...serviceNames.flatMap((name) =>
          aclCommands(user.replace('{service}', name), kafkaRights({ prefix, storeId }, name)),
        ),
      ].join('\n'),
  },
}
