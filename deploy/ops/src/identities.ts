import { serviceNames } from '@nifty/api/services'
import { closeServerSql, createRolesSql } from '@nifty/service-kit/database-roles'
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
}
