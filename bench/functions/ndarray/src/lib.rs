//! `Array::append` of ndarray.
