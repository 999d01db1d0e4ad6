import kafkajs from 'kafkajs'
import type { KafkaRight } from '../messaging/kafka/rights.ts'

// Node finds only some names of this CommonJS package.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

/** A right of a user, as the client's `createAcls` takes it. */
export const aclOf = (user: string, { type, name, patternType, operations }: KafkaRight) =>
  operations.map((operation) => ({
    principal: `User:${user}`,
    host: '*',
    operation: AclOperationTypes[operation.toUpperCase() as keyof typeof AclOperationTypes],
    permissionType: AclPermissionTypes.ALLOW,
    resourceType: AclResourceTypes[type.toUpperCase() as keyof typeof AclResourceTypes],
    resourceName: name,
    resourcePatternType: patternType === 'prefix' ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
  }))
