// Original file: tollgate/routing/v1/routing.proto


export interface ReportOutcomesResponse {
}

export interface ReportOutcomesResponse__Output {
}
