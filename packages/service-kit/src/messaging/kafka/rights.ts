import type { ServiceName } from '@nifty/api/services'
import { topicsConsumedBy, topicsPublishedBy } from '@nifty/events/topics'
import { resourceName, type StoreResources } from '../../base/resources.ts'

/** An operation that Kafka's ACLs allow, in Strimzi's spelling. */
export type Operation = 'Read' | 'Write' | 'Create' | 'Describe'

export type KafkaRight = {
  type: 'topic' | 'group'
  name: string
  patternType: 'literal' | 'prefix'
  operations: Operation[]
}

/**
 * What the Kafka user of a service may do: write to its own topic, read the topics that it consumes as its own group,
 * create those that are missing, and see which store the topics belong to. Nothing on the cluster.
 */
export function kafkaRights({ prefix, storeId }: StoreResources, service: ServiceName): KafkaRight[] {
  const literal = (type: KafkaRight['type'], name: string, operations: Operation[]): KafkaRight => ({
    type,
    name: resourceName(prefix, name),
    patternType: 'literal',
    operations,
  })
  return [
    ...topicsPublishedBy(service).map((topic) => literal('topic', topic, ['Write', 'Create', 'Describe'])),
    ...topicsConsumedBy(service).map((topic) => literal('topic', topic, ['Read', 'Create', 'Describe'])),
    literal('group', service, ['Read', 'Describe']),
    literal('topic', `store.${storeId}`, ['Create']),
    { ...literal('topic', 'store.', ['Describe']), patternType: 'prefix' },
  ]
}

/** The commands of Kafka's own tool that grant these rights to a user. */
export const aclCommands = (user: string, rights: KafkaRight[]) =>
  rights.map(
    ({ type, name, patternType, operations }) =>
      `kafka-acls.sh "$@" --add --allow-principal 'User:${user}' --${type} '${name}' --resource-pattern-type ${
        patternType === 'prefix' ? 'prefixed' : patternType
      } ${operations.map((operation) => `--operation ${operation}`).join(' ')}`,
  )
