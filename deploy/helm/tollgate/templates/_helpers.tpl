{{/*
What each service reads and whom it calls: the columns "read by" of docs/reference/configuration.md. A
test renders the chart and lets the product check the environment of every container.
*/}}
{{- define "tollgate.table" -}}
gateway:
  secrets: [TOLLGATE_SERVICE_SECRET, REDIS_URL]
  optional: [TOLLGATE_TOPUP_SECRETS]
  calls: [completion, identity, routing, billing, webhook, stats, console]
  outside: false
completion:
  port: 7101
  secrets: [TOLLGATE_SERVICE_SECRET]
  calls: [routing, billing]
  outside: true
identity:
  port: 7102
  secrets: [TOLLGATE_SERVICE_SECRET, TOLLGATE_SEALING_KEYS, TOLLGATE_KEY_PEPPERS, MONGODB_URI]
  optional: [TOLLGATE_INIT_OPERATOR_PASSWORD, TOLLGATE_OAUTH_PROVIDERS]
  calls: [billing]
  outside: true
routing:
  port: 7103
  secrets: [TOLLGATE_SERVICE_SECRET, TOLLGATE_SEALING_KEYS, MONGODB_URI]
  optional: [TOLLGATE_INIT_CHANNEL_CREDENTIAL, OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY]
  calls: []
  outside: true
billing:
  port: 7104
  secrets: [TOLLGATE_SERVICE_SECRET, TOLLGATE_SEALING_KEYS, MONGODB_URI]
  calls: [completion]
  outside: false
webhook:
  port: 7105
  secrets: [TOLLGATE_SERVICE_SECRET, TOLLGATE_SEALING_KEYS, MONGODB_URI]
  calls: []
  outside: true
stats:
  port: 7106
  secrets: [TOLLGATE_SERVICE_SECRET, MONGODB_URI]
  calls: [billing]
  outside: false
console:
  port: 7190
  secrets: []
  calls: []
  outside: false
{{- end }}

{{/*
Ports that engines are reached at: those of networkPolicy.enginePorts, and those of the addresses in the values.
*/}}
{{- define "tollgate.enginePorts" -}}
{{- $ports := list }}
{{- range .Values.networkPolicy.enginePorts }}{{ $ports = append $ports (int .) }}{{ end }}
{{- range concat (.Values.kafka.brokers | default list) .Values.redis.sentinels .Values.redis.cluster }}
{{- $ports = append $ports (splitList ":" . | last | int) }}
{{- end }}
{{- $ports | uniq | toYaml }}
{{- end }}

{{- define "tollgate.fullname" -}}
{{- if contains "tollgate" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-tollgate" (.Release.Name | trunc 31) }}{{ end }}
{{- end }}

{{- define "tollgate.selector" -}}
app.kubernetes.io/name: tollgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/*
The image of a service, or of all where that is "": (list root service). What a service names for itself
counts before what all are given, so that its tag is not hidden by the digest of all.
*/}}
{{- define "tollgate.image" -}}
{{- $root := index . 0 }}{{ $all := $root.Values.image }}
{{- $own := dig (index . 1) "image" dict $root.Values.services }}
{{- $version := ternary $own $all (or $own.tag $own.digest | not | not) }}
{{- $all.repository }}{{ if $version.digest }}@{{ $version.digest }}{{ else }}:{{ $version.tag | default $root.Chart.AppVersion }}{{ end }}
{{- end }}

{{/* The names of all secrets, which secrets.from may name; any other one would be dropped without a word. */}}
{{- define "tollgate.secretNames" -}}
{{- $names := list "KAFKA_SASL_PASSWORD" "TOLLGATE_SERVICE_SECRET_PREVIOUS" }}
{{- range include "tollgate.table" . | fromYaml }}{{ $names = concat $names .secrets (.optional | default list) }}{{ end }}
{{- range $name, $_ := .Values.secrets.from }}
{{- if not (has $name $names) }}{{ fail (printf "secrets.from.%s is no secret that a service reads" $name) }}{{ end }}
{{- end }}
{{- $names | uniq | sortAlpha | toYaml }}
{{- end }}

{{/* One variable from a Secret: (list root NAME optional). */}}
{{- define "tollgate.secret" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}
{{- $from := get $root.Values.secrets.from $name | default dict }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $from.name | default $root.Values.secrets.existingSecret }}
      key: {{ $from.key | default $name }}
      {{- if index . 2 }}
      optional: true
      {{- end }}
{{- end }}

{{/* Plain variables; of a name in several maps the value of the last one: (list map map). */}}
{{- define "tollgate.plain" -}}
{{- $merged := dict }}
{{- range . }}{{ $merged = mergeOverwrite $merged (deepCopy .) }}{{ end }}
{{- range $name, $value := $merged }}
{{- /* A number of a file is a float, and a large one would be written as 5.36870912e+08. */}}
{{- if and (kindIs "float64" $value) (eq $value (float64 (int64 $value))) }}{{ $value = int64 $value }}{{ end }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* What every container runs with: (list root service). The root is read-only but for /tmp, where sockets are. */}}
{{- define "tollgate.container" -}}
image: {{ include "tollgate.image" . }}
imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "tollgate.probes" -}}
# Passes as soon as the admin port listens, before the services start; how long those may take is TOLLGATE_START_TIMEOUT_MS.
startupProbe: { httpGet: { path: /livez, port: admin }, periodSeconds: 5, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /livez, port: admin }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
readinessProbe: { httpGet: { path: /readyz, port: admin }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 }
{{- end }}

{{/* What every pod has beside its containers. */}}
{{- define "tollgate.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The certificates for MongoDB, Kafka and Redis, where their Secret is named. */}}
{{- define "tollgate.engineMount" -}}
{{- if .Values.engines.tlsSecret }}
- { name: engines, mountPath: /etc/tollgate/engines, readOnly: true }
{{- end }}
{{- end }}

{{- define "tollgate.engineVolume" -}}
{{- with .Values.engines.tlsSecret }}
- { name: engines, secret: { secretName: {{ . }} } }
{{- end }}
{{- end }}

{{/* How service calls are protected. */}}
{{- define "tollgate.rpcEnv" -}}
{{- if .Values.rpc.plaintext }}
- { name: TOLLGATE_RPC_PLAINTEXT, value: "true" }
{{- else }}
- { name: TOLLGATE_TLS_CERT_FILE, value: /etc/tollgate/rpc/tls.crt }
- { name: TOLLGATE_TLS_KEY_FILE, value: /etc/tollgate/rpc/tls.key }
- { name: TOLLGATE_TLS_CA_FILE, value: /etc/tollgate/rpc/ca.crt }
{{- end }}
{{- end }}

{{/* Where Kafka is, and how topics are made that are missing. */}}
{{- define "tollgate.kafkaEnv" -}}
{{- include "tollgate.secret" (list . "KAFKA_SASL_PASSWORD" true) }}
- { name: KAFKA_BROKERS, value: {{ join "," .Values.kafka.brokers | quote }} }
- { name: TOLLGATE_KAFKA_PARTITIONS, value: {{ .Values.kafka.partitions | quote }} }
- { name: TOLLGATE_KAFKA_REPLICATION, value: {{ .Values.kafka.replication | quote }} }
{{- end }}

{{/* Where Redis is, for whoever counts limits. */}}
{{- define "tollgate.redisEnv" -}}
{{- with .Values.redis.sentinels }}
- { name: REDIS_SENTINELS, value: {{ join "," . | quote }} }
{{- end }}
{{- with .Values.redis.cluster }}
- { name: REDIS_CLUSTER, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{/* The environment of a service: (list root service). */}}
{{- define "tollgate.env" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $fullname := include "tollgate.fullname" $root }}
{{- $table := include "tollgate.table" $root | fromYaml }}
{{- $row := index $table $service }}
- { name: TARGET, value: {{ $service }} }
{{- range $row.secrets }}{{ include "tollgate.secret" (list $root . false) }}{{ end }}
{{- range $row.optional }}{{ include "tollgate.secret" (list $root . true) }}{{ end }}
{{- if ne $service "console" }}
{{- include "tollgate.rpcEnv" $root }}
{{- include "tollgate.kafkaEnv" $root }}
{{- include "tollgate.secret" (list $root "TOLLGATE_SERVICE_SECRET_PREVIOUS" true) }}
{{- end }}
{{- range without $row.calls "console" }}
{{- /* Billing learns from a lease where its holder is. */}}
{{- if not (and (eq $service "billing") (eq . "completion")) }}
- { name: {{ upper . }}_ADDRESS, value: "dns:///{{ $fullname }}-{{ . }}:{{ (index $table .).port }}" }
{{- end }}
{{- end }}
{{- if has "console" $row.calls }}
- { name: CONSOLE_ADDRESS, value: "http://{{ $fullname }}-console:7190" }
{{- end }}
{{- if has "REDIS_URL" $row.secrets }}
{{- include "tollgate.redisEnv" $root }}
{{- end }}
{{- if eq $service "completion" }}
- { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
# A name that stays when the pod moves, so that billing finds the holder of a lease.
- { name: TOLLGATE_COMPLETION_ADVERTISED_ADDRESS, value: "$(POD_NAME).{{ $fullname }}-holders:7101" }
{{- end }}
{{- $defaults := dict "TOLLGATE_SHUTDOWN_WAIT_MS" 5000 }}
{{- if eq $service "gateway" }}{{ $_ := set $defaults "TOLLGATE_GATEWAY_BODY_BYTES_MAX" "268435456" }}{{ end }}
{{- include "tollgate.plain" (list $defaults $root.Values.env (index $root.Values.services $service).env) }}
{{- end }}

{{/* The pod template of a service: (list root service). */}}
{{- define "tollgate.template" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $values := index $root.Values.services $service }}
{{- $row := index (include "tollgate.table" $root | fromYaml) $service }}
{{- $tls := and (not $root.Values.rpc.plaintext) (ne $service "console") }}
metadata:
  labels:
    {{- include "tollgate.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $service }}
  {{- with $root.Values.podAnnotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "tollgate.pod" $root | nindent 2 }}
  terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "tollgate.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ $service }}
  containers:
    - name: {{ $service }}
      {{- include "tollgate.container" . | nindent 6 }}
      ports:
        {{- if eq $service "gateway" }}
        - { name: http, containerPort: 8080 }
        {{- else }}
        - { name: {{ ternary "http" "grpc" (eq $service "console") }}, containerPort: {{ $row.port }} }
        {{- end }}
        - { name: admin, containerPort: 9090 }
      env: {{- include "tollgate.env" . | nindent 8 }}
      {{- include "tollgate.probes" $root | nindent 6 }}
      resources: {{ toYaml $values.resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- include "tollgate.engineMount" $root | nindent 8 }}
        {{- if $tls }}
        - { name: rpc, mountPath: /etc/tollgate/rpc, readOnly: true }
        {{- end }}
        {{- if eq $service "completion" }}
        - { name: spool, mountPath: /var/lib/tollgate }
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
    {{- include "tollgate.engineVolume" $root | nindent 4 }}
    {{- if $tls }}
    - { name: rpc, secret: { secretName: {{ $root.Values.rpc.tlsSecretPrefix }}-{{ $service }} } }
    {{- end }}
{{- end }}

{{/* Where completion keeps its spool, by the settings that it is given. */}}
{{- define "tollgate.spoolDirectory" -}}
{{- $env := mergeOverwrite (deepCopy .Values.env) (deepCopy .Values.services.completion.env) }}
{{- $env.TOLLGATE_COMPLETION_SPOOL_DIR | default (printf "%s/spool" ($env.TOLLGATE_DATA_DIR | default "/var/lib/tollgate")) | quote }}
{{- end }}

{{/* The pod template of the job that settles a claim's spool: (list root claim). */}}
{{- define "tollgate.drainTemplate" -}}
{{- $root := index . 0 }}{{ $claim := index . 1 }}
metadata:
  labels:
    {{- include "tollgate.selector" $root | nindent 4 }}
    app.kubernetes.io/component: drain
spec:
  {{- include "tollgate.pod" $root | nindent 2 }}
  restartPolicy: Never
  containers:
    - name: drain
      {{- include "tollgate.container" (list $root "completion") | nindent 6 }}
      args: [spool, drain, {{ include "tollgate.spoolDirectory" $root }}, --timeout-seconds, "300"]
      env:
        {{- include "tollgate.secret" (list $root "TOLLGATE_SERVICE_SECRET" false) | nindent 8 }}
        {{- include "tollgate.secret" (list $root "TOLLGATE_SERVICE_SECRET_PREVIOUS" true) | nindent 8 }}
        {{- include "tollgate.rpcEnv" $root | nindent 8 }}
        - { name: BILLING_ADDRESS, value: "dns:///{{ include "tollgate.fullname" $root }}-billing:7104" }
        {{- include "tollgate.plain" (list $root.Values.env $root.Values.services.completion.env) | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: spool, mountPath: /var/lib/tollgate }
        {{- include "tollgate.engineMount" $root | nindent 8 }}
        {{- if not $root.Values.rpc.plaintext }}
        - { name: rpc, mountPath: /etc/tollgate/rpc, readOnly: true }
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
    - { name: spool, persistentVolumeClaim: { claimName: {{ $claim }} } }
    {{- include "tollgate.engineVolume" $root | nindent 4 }}
    {{- if not $root.Values.rpc.plaintext }}
    - { name: rpc, secret: { secretName: {{ $root.Values.rpc.tlsSecretPrefix }}-completion } }
    {{- end }}
{{- end }}
